// What is proved: mistakes against the bound, the walls of the convergence proof, the witness, the cycle.
import { hasBeside, shownTrack } from "../beside.js";
import { h, svg } from "../dom.js";
import { count, exact, short } from "../numbers.js";
import { wallsAfter } from "../walls.js";
import { witnessWords } from "../witness.js";

const WIDTH = 300;
const HEIGHT = 170;

export const proofPanel = {
  id: "proof",
  area: "right",
  title: "What is proved",
  mount(box, { store }) {
    const said = h("div", { class: "proof-content", "aria-live": "polite" });
    const live = h("div", { class: "proof-live" });
    const beside = h("div", { class: "row checks" });
    box.append(said, live, beside);
    let told = null;
    const update = () => {
      const { sides, active, proofs, data } = store.state;
      const side = sides[active];
      const proof = proofs[active]?.payload === side.payload ? proofs[active] : null;
      const ended = Boolean(side.replay) && side.at >= side.replay.length;
      const key = [proof, ended, side.replay, side.focus, store.state.beside, data.classes];
      if (!told || key.some((value, k) => value !== told[k])) {
        told = key;
        said.replaceChildren(...verdict(side, proof, data), ...cycle(side, ended));
        beside.replaceChildren(...besideChecks(store, side));
      }
      live.replaceChildren(...(proof?.answer?.margin ? walls(side, proof) : []));
      box.dataset.proof = proof?.answer?.kind ?? (proof?.error ? "failed" : "none");
    };
    store.subscribe(["sides", "active", "proofs", "beside"], update);
    update();
  },
};

function verdict(side, proof, data) {
  if (!side.replay) return [];
  if (!shownTrack(side.replay, side.focus)) {
    return [h("p", { class: "soft" }, side.payload.kind === "joint" ? "The proof speaks of one line; here several learn together." : "Watch one problem (under Rule) to see what is proved of it.")];
  }
  if (!proof || (!proof.answer && !proof.error)) return [h("p", { class: "soft" }, "Looking for a proof…")];
  if (proof.error) return [h("p", { class: "soft" }, proof.error)];
  const { kind, margin, witness } = proof.answer;
  if (kind === "undecided") return [h("p", {}, "Undecided: settling it would take longer than a page should wait.")];
  if (kind === "weak") {
    return [h("p", { class: "verdict wrong" }, "Only weakly separable."), h("p", {}, "Some line has no point on its wrong side, but every such line has points on it: there is no margin, and no bound.")];
  }
  if (kind === "inseparable") {
    const { fit_intercept: offset } = proof.answer;
    return [
      h("p", { class: "verdict wrong" }, offset ? "No line separates them, and here is why." : "No line through the origin separates them, and here is why."),
      h("ul", { class: "witness" }, witnessWords(witness, side.replay.points, data.classes).map(({ weight, c, text }) => h("li", { "data-weight": weight }, h("span", { class: `class-${c}` }, text), ` × ${weight}`))),
      h("p", { class: "soft" }, offset
        ? "So weighted, the points of both classes have the same mean (✚): a line would have to have it on both sides. Σ λ·y·(1, x) = 0, checked in integers."
        : "So weighted, both classes have the same sum, and a line would have to have it on both sides. Σ λ·y·x = 0, checked in integers."),
    ];
  }
  const squared = margin.gamma_squared ? `γ² = ${margin.gamma_squared}` : `γ = ${short(margin.gamma)}`;
  return [
    h("p", { class: "verdict right" }, "Separable."),
    h("p", { class: "soft" }, `The widest margin is ${short(margin.geometric)}`, margin.geometric_squared ? ` (its square is ${margin.geometric_squared})` : "",
      proof.answer.fit_intercept ? `; in the space of (1, x), where the run lives, ` : "; ", h("span", { class: "gamma", "data-gamma-squared": margin.gamma_squared ?? "", "data-gamma": margin.gamma }, squared), `, R = ${short(margin.radius)}.`),
  ];
}

// Of the problem that is shown: what the run of another one did is not its matter.
function cycle(side, ended) {
  const track = ended ? shownTrack(side.replay, side.focus) : null;
  const problem = track ? side.replay.tracks.indexOf(track) : -1;
  const { statuses, cycles } = side.payload?.ending ?? {};
  if (!track || statuses[problem] !== "cycled") return [];
  const period = cycles[problem];
  const epochs = track.epochEnds.length;
  if (!period) return [h("p", { class: "cycle" }, "w has come back to where it was: the run will never end.")];
  return [h("p", { class: "cycle", "data-period": period }, h("strong", {}, `A cycle, of ${count(period, "epoch")}.`), ` After epoch ${epochs.toLocaleString("en")} w is what it was after epoch ${(epochs - period).toLocaleString("en")}: the run goes round for ever.`)];
}

function walls(side, proof) {
  const { margin } = proof.answer;
  if (!proof.bounded) return [h("p", { class: "soft" }, "The bound on mistakes speaks of the plain rule, which adds ηyx at a mistake.")];
  const { track } = proof;
  const m = track.updatesBefore(side.at);
  const now = wallsAfter(track, proof.answer, proof.eta0, m);
  const fromZero = track.weightsAfter(0).every((value) => value === 0);
  const names = fromZero ? ["ηMγ", "û·w", "‖w‖", "η√M·R"] : ["û·v + ηMγ", "û·w", "‖w‖", "√(‖v‖² + η²MR²)"];
  return [
    h("p", { class: "bound" }, h("b", { class: "so-far" }, m.toLocaleString("en")), ` ${m === 1 ? "mistake" : "mistakes"}, and never more than `, h("b", { class: "most", "data-bound": margin.bound }, margin.bound.toLocaleString("en"))),
    h("progress", { max: Math.max(1, margin.bound), value: m, "aria-label": "Mistakes of the most that are possible" }),
    picture(track, proof, now),
    h("dl", { class: "walls" }, ["floor", "projection", "norm", "ceiling"].flatMap((key, k) => [
      h("dt", {}, names[k]), h("dd", { "data-wall": key, "data-exact": now[key], title: exact(now[key]) }, short(Number(now[key].toPrecision(6))))])),
  ];
}

// The plane through w and û: û to the right, what w has besides upward. The wall comes from the left, the circle grows.
function picture(track, proof, now) {
  const last = wallsAfter(track, proof.answer, proof.eta0, track.updates);
  const left = Math.min(0, wallsAfter(track, proof.answer, proof.eta0, 0).floor);
  const reach = Math.max(last.ceiling, now.ceiling, 1e-12);
  const scale = Math.min((WIDTH - 24) / (reach - left), (HEIGHT - 26) / reach);
  const x = (value) => 10 + (value - left) * scale;
  const y = (value) => HEIGHT - 14 - value * scale;
  const across = Math.sqrt(Math.max(0, now.norm ** 2 - now.projection ** 2));
  const r = now.ceiling;
  const top = Math.sqrt(Math.max(0, r * r - now.floor * now.floor));
  const from = Math.min(now.floor, r);
  const free = `M${x(from)} ${y(0)}V${y(top)}A${r * scale} ${r * scale} 0 0 1 ${x(r)} ${y(0)}Z`;
  const tip = [x(now.projection), y(across)];
  return svg("svg", { class: "walls-picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `w between the walls: ${short(now.floor)} ≤ ${short(now.projection)} ≤ ${short(now.norm)} ≤ ${short(now.ceiling)}` },
    svg("path", { class: "free", d: free }),
    svg("path", { class: "ceiling", d: `M${x(-r)} ${y(0)}A${r * scale} ${r * scale} 0 0 1 ${x(r)} ${y(0)}` }),
    svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
    svg("line", { class: "wall", x1: x(now.floor), x2: x(now.floor), y1: y(0), y2: 8 }),
    svg("line", { class: "w-line", x1: x(0), y1: y(0), x2: tip[0], y2: tip[1] }),
    svg("circle", { class: "w-tip", cx: tip[0], cy: tip[1], r: 4.5 }),
    svg("text", { x: Math.min(WIDTH - 14, tip[0] + 8), y: Math.max(12, tip[1] - 6) }, "w"),
    svg("text", { class: "soft-text", x: WIDTH - 6, y: y(0) + 12, "text-anchor": "end" }, "û"));
}

function besideChecks(store, side) {
  if (!hasBeside(side.replay, side.rule) || !shownTrack(side.replay, side.focus)) return [];
  return [["pocket", "the pocket's line"], ["average", "the average's line"]].map(([key, label]) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", "data-beside": key, checked: store.state.beside[key],
      onchange: (event) => store.set({ beside: { ...store.state.beside, [key]: event.target.checked } }) }), label));
}
