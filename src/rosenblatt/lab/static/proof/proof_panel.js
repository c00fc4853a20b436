// The proof panel: mistakes and their bound, the walls of the convergence proof, the witness, the cycle.
import { hasPocket, hasPocketAndAverage, shownTrack } from "./pocket_and_average.js";
import { columnWords } from "../state/slice.js";
import { h, svg } from "../ui/dom.js";
import { exact, short } from "../ui/numbers.js";
import { number, parts, t } from "../ui/strings.js";
import { wallsAfter } from "./walls.js";
import { shortInteger, witnessWords } from "./witness.js";

const WIDTH = 300;
const HEIGHT = 170;

export const proofPanel = {
  id: "proof",
  area: "right",
  title: "proof.title",
  mount(box, { store }) {
    const verdictBox = h("div", { class: "proof-content", "aria-live": "polite" });
    const live = h("div", { class: "proof-live" });
    const extraLines = h("div", { class: "row checks" });
    box.append(verdictBox, live, extraLines);
    let shown = null;
    const update = () => {
      const { sides, active, proofs, data } = store.state;
      const side = sides[active];
      const proof = proofs[active]?.payload === side.payload ? proofs[active] : null;
      const ended = Boolean(side.replay) && side.at >= side.replay.length;
      const key = [proof, ended, side.replay, side.focus, store.state.extraLines, data.classes];
      if (!shown || key.some((value, k) => value !== shown[k])) {
        shown = key;
        verdictBox.replaceChildren(...verdict(side, proof, data), ...cycle(side, ended));
        extraLines.replaceChildren(...extraLineChecks(store, side));
      }
      live.replaceChildren(...(proof?.answer?.margin ? walls(side, proof) : []));
      box.dataset.proof = proof?.answer?.kind ?? (proof?.error ? "failed" : "none");
    };
    store.subscribe(["sides", "active", "proofs", "extraLines"], update);
    update();
  },
};

function verdict(side, proof, data) {
  if (!side.replay) return [];
  if (!shownTrack(side.replay, side.focus)) {
    return [h("p", { class: "soft" }, t(side.payload.kind === "joint" ? "proof.joint" : "proof.watch_one"))];
  }
  if (!proof || (!proof.answer && !proof.error)) return [h("p", { class: "soft" }, t("proof.searching"))];
  if (proof.error) return [h("p", { class: "soft" }, proof.error)];
  const { kind, margin, witness } = proof.answer;
  const plane = data.slice ? "plane" : "line"; // with more than two columns, the separator is a hyperplane
  if (kind === "undecided") return [h("p", {}, t("proof.undecided"))];
  if (kind === "weak") {
    return [h("p", { class: "verdict wrong" }, t("proof.weak", { columns: columnWords(data) })), h("p", {}, t(`proof.weak_why.${plane}`))];
  }
  if (kind === "inseparable") {
    const { fit_intercept: offset } = proof.answer;
    return [
      h("p", { class: "verdict wrong" }, t(`proof.inseparable.${plane}${offset ? "" : "_origin"}`, { columns: columnWords(data) })),
      h("ul", { class: "witness" }, witnessWords(witness, side.replay.points, data.classes).map(({ weight, c, text }) => h("li", { "data-weight": weight }, h("span", { class: `class-${c}` }, text), h("span", { title: weight }, ` × ${shortInteger(weight)}`)))),
      h("p", { class: "soft" }, t(offset ? "proof.witness" : "proof.witness_origin")),
    ];
  }
  if (!margin) return [h("p", { class: "verdict right" }, t("proof.separable", { columns: columnWords(data) })), h("p", { class: "soft" }, t("proof.no_margin"))];
  const squared = margin.gamma_squared ? `γ² = ${margin.gamma_squared}` : `γ = ${short(margin.gamma)}`;
  return [
    h("p", { class: "verdict right" }, t("proof.separable", { columns: columnWords(data) })),
    h("p", { class: "soft" }, margin.geometric === null ? "" : t(margin.geometric_squared ? "proof.margin_squared" : "proof.margin", { margin: short(margin.geometric), squared: margin.geometric_squared ?? "" }), " ",
      parts(proof.answer.fit_intercept ? "proof.gamma_lifted" : "proof.gamma", { gamma: h("span", { class: "gamma", "data-gamma-squared": margin.gamma_squared ?? "", "data-gamma": margin.gamma }, squared), radius: short(margin.radius) })),
  ];
}

// The cycle of the problem that is shown, not of another problem of the run.
function cycle(side, ended) {
  const track = ended ? shownTrack(side.replay, side.focus) : null;
  const problem = track ? side.replay.tracks.indexOf(track) : -1;
  const { statuses, cycles } = side.payload?.ending ?? {};
  if (!track || statuses[problem] !== "cycled") return [];
  const period = cycles[problem];
  const epochs = track.epochEnds.length;
  if (!period) return [h("p", { class: "cycle" }, t("proof.returned"))];
  return [h("p", { class: "cycle", "data-period": period }, h("strong", {}, t("proof.cycle", { n: period })), " ", t("proof.cycle_why", { now: number(epochs), before: number(epochs - period) }))];
}

function walls(side, proof) {
  const { margin } = proof.answer;
  if (!proof.bounded) return [h("p", { class: "soft" }, t("proof.no_bound"))];
  const { track } = proof;
  const m = track.updatesBefore(side.at);
  const now = wallsAfter(track, proof.answer, proof.eta0, m);
  const fromZero = track.weightsAfter(0).every((value) => value === 0);
  const names = fromZero ? ["ηMγ", "û·w", "‖w‖", "η√M·R"] : ["û·v + ηMγ", "û·w", "‖w‖", "√(‖v‖² + η²MR²)"];
  return [
    h("p", { class: "bound" }, parts("proof.bound", { n: m, mistakes: h("b", { class: "so-far" }, number(m)), bound: h("b", { class: "most", "data-bound": margin.bound }, number(margin.bound)) })),
    h("progress", { max: Math.max(1, margin.bound), value: m, "aria-label": t("proof.bound_label") }),
    picture(track, proof, now),
    h("dl", { class: "walls" }, ["floor", "projection", "norm", "ceiling"].flatMap((key, k) => [
      h("dt", {}, names[k]), h("dd", { "data-wall": key, "data-exact": now[key], title: exact(now[key]) }, short(Number(now[key].toPrecision(6))))])),
  ];
}

// The plane through w and û: û points right, the rest of w points up. The wall moves to the right from the left edge; the circle grows.
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
      "aria-label": t("proof.walls_label", { floor: short(now.floor), projection: short(now.projection), norm: short(now.norm), ceiling: short(now.ceiling) }) },
    svg("path", { class: "free", d: free }),
    svg("path", { class: "ceiling", d: `M${x(-r)} ${y(0)}A${r * scale} ${r * scale} 0 0 1 ${x(r)} ${y(0)}` }),
    svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
    svg("line", { class: "wall", x1: x(now.floor), x2: x(now.floor), y1: y(0), y2: 8 }),
    svg("line", { class: "w-line", x1: x(0), y1: y(0), x2: tip[0], y2: tip[1] }),
    svg("circle", { class: "w-tip", cx: tip[0], cy: tip[1], r: 4.5 }),
    svg("text", { x: Math.min(WIDTH - 14, tip[0] + 8), y: Math.max(12, tip[1] - 6) }, "w"),
    svg("text", { class: "soft-text", x: WIDTH - 6, y: y(0) + 12, "text-anchor": "end" }, "û"));
}

function extraLineChecks(store, side) {
  if (!hasPocketAndAverage(side.replay, side.rule) || !shownTrack(side.replay, side.focus)) return [];
  return ["pocket", "average"].filter((key) => key === "average" || hasPocket(side.replay, side.rule)).map((key) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", "data-extra-line": key, checked: store.state.extraLines[key],
      onchange: (event) => store.set({ extraLines: { ...store.state.extraLines, [key]: event.target.checked } }) }), t(`proof.line.${key}`)));
}
