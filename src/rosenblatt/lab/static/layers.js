// What lies on the plane besides the run's own picture. A layer is a function (view, theme, moment) that returns shapes:
// `back` for under the points, `front` for over them. A new one is a module and a line here.
import { besideShapes } from "./beside.js";
import { beyondShapes } from "./beyond_shapes.js";
import { scene } from "./scene.js";
import { probeShapes } from "./votes.js";
import { witnessShapes } from "./witness.js";

const LAYERS = [beyondShapes, besideShapes, witnessShapes, probeShapes];

// The keys of the state that layers read.
export const LAYER_KEYS = ["bench", "proofs", "beside", "beyond", "probe"];

// The picture of a moment with all layers. `moment` is what `scene` takes, and { which, state }.
export function layered(view, theme, moment) {
  const { back, front } = scene(view, theme, moment);
  for (const layer of LAYERS) {
    const more = layer(view, theme, moment);
    back.push(...(more.back ?? []));
    front.push(...(more.front ?? []));
  }
  return { back, front };
}
