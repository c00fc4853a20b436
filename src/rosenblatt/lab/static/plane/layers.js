// Layers: shapes on the plane beside the picture of the run. A layer is a function (view, theme, moment) that returns shapes:
// `back` is drawn under the points, `front` over them. To add a layer, write a module and add a line here.
import { extraLineShapes } from "../proof/pocket_and_average.js";
import { nonlinearShapes } from "../benches/nonlinear_shapes.js";
import { withFreeLabels } from "./labels.js";
import { scene } from "./scene.js";
import { toPixel } from "./view.js";
import { probeShapes } from "./voting.js";
import { witnessShapes } from "../proof/witness.js";

const MOST_POINTS = 80; // of more points, labels may cover some
const LAYERS = [nonlinearShapes, extraLineShapes, witnessShapes, probeShapes];

// The keys of the state that layers read.
export const LAYER_KEYS = ["bench", "proofs", "extraLines", "nonlinear", "probe"];

// The picture of a moment with all layers. `moment` has the fields that `scene` takes, and { which, state }.
export function layered(view, theme, moment) {
  const { back, front } = scene(view, theme, moment);
  for (const layer of LAYERS) {
    const more = layer(view, theme, moment);
    back.push(...(more.back ?? []));
    front.push(...(more.front ?? []));
  }
  const { points } = moment.state.data;
  const places = points.length <= MOST_POINTS ? points.map((point) => toPixel(view, ...moment.picture.place(point))) : [];
  return withFreeLabels(view, { back, front }, places);
}
