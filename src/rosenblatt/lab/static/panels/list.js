// The panels, in the order of the page. To add a panel, write a module and add a line here.
//
// A panel is { id, title, area, mount }: area is "top", "story", "left", "bottom", "right" or "wide"; `mount(box, lab)` fills its section
// and subscribes to the keys of the state that it shows. A panel with `needsEngine` is left out if nothing can be computed;
// `benches` lists the benches that show the panel, by default "line".
import { bannerPanel } from "./banner.js";
import { benchTabsPanel } from "./bench_tabs.js";
import { nonlinearPanel } from "../benches/nonlinear_panel.js";
import { booleanPanel } from "../benches/boolean_panel.js";
import { chartsPanel } from "./charts.js";
import { dataPanel } from "./data.js";
import { dualPanel } from "../benches/dual_panel.js";
import { momentPanel } from "../benches/moment_panel.js";
import { proofPanel } from "../proof/proof_panel.js";
import { rulePanel } from "./rule.js";
import { savePanel } from "./save.js";
import { stepPanel } from "./step.js";
import { storyPanel } from "../stories/story_panel.js";
import { timePanel } from "./time.js";
import { votesPanel } from "./votes.js";

export const PANELS = [bannerPanel, benchTabsPanel, storyPanel, dataPanel, nonlinearPanel, rulePanel, timePanel, momentPanel, stepPanel, votesPanel, dualPanel, proofPanel, chartsPanel, savePanel, booleanPanel];
