// The panels, in the order in which they stand. A new one is a module and a line here.
//
// A panel is { id, title, area, mount }: area is "top", "left", "bottom", "right" or "wide"; `mount(box, lab)` fills its section
// and subscribes to the keys of the state that it shows. `needsEngine` leaves it out where nothing new can be computed;
// `benches` lists where it is seen, "line" unless it says otherwise.
import { bannerPanel } from "./banner.js";
import { benchesPanel } from "./benches.js";
import { beyondPanel } from "./beyond.js";
import { booleanPanel } from "./boolean.js";
import { chartsPanel } from "./charts.js";
import { dataPanel } from "./data.js";
import { dualPanel } from "./dual.js";
import { lessonsPanel } from "./lessons.js";
import { proofPanel } from "./proof.js";
import { rulePanel } from "./rule.js";
import { savePanel } from "./save.js";
import { stepPanel } from "./step.js";
import { timePanel } from "./time.js";
import { votesPanel } from "./votes.js";

export const PANELS = [bannerPanel, benchesPanel, lessonsPanel, dataPanel, beyondPanel, rulePanel, timePanel, stepPanel, votesPanel, dualPanel, proofPanel, chartsPanel, savePanel, booleanPanel];
