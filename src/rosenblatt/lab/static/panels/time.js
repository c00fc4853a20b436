// The time panel: step by example, mistake or epoch, play, and move to any position.
import { h, select, svg } from "../ui/dom.js";
import { number, t } from "../ui/strings.js";

const STEPS = [
  ["epoch", -1, "time.back_epoch"],
  ["mistake", -1, "time.back_mistake"],
  ["example", -1, "time.back_example"],
  ["play"],
  ["example", 1, "time.next_example"],
  ["mistake", 1, "time.next_mistake"],
  ["epoch", 1, "time.next_epoch"],
];

const BINS = 240; // intervals of the time line in which mistakes are counted

export const timePanel = {
  id: "time",
  area: "bottom",
  label: "time.label",
  mount(box, { store, actions }) {
    const play = h("button", { type: "button", class: "play", onclick: () => actions.toggle() });
    const buttons = STEPS.map(([unit, direction, label]) =>
      unit === "play"
        ? play
        : h("button", { type: "button", class: "step", "data-step": `${unit}${direction}`, "aria-label": t(label), title: t(label),
            onclick: () => { actions.pause(); actions.step(unit, direction); } },
            h("span", { class: "glyph", "aria-hidden": "true" }, direction < 0 ? "‹" : ""),
            h("span", {}, t(`time.unit.${unit}`)),
            h("span", { class: "glyph", "aria-hidden": "true" }, direction > 0 ? "›" : "")),
    );
    const scrub = h("input", { type: "range", class: "scrub", min: 0, max: 0, step: 1, value: 0, "aria-label": t("time.scrub"),
      oninput: (event) => { actions.pause(); actions.go(Number(event.target.value)); } });
    const marks = svg("svg", { class: "marks", preserveAspectRatio: "none", viewBox: `0 0 ${BINS} 20`, "aria-hidden": "true" });
    const scale = h("div", { class: "scale", "aria-hidden": "true" });
    const where = h("p", { class: "where", "aria-live": "off" });
    const speed = h("input", { type: "range", min: -1, max: 10, step: 0.5, value: 1, "aria-label": t("time.speed"),
      oninput: (event) => store.set({ speed: 2 ** Number(event.target.value) }) });
    const pace = h("output", { class: "pace" });
    box.append(
      h("div", { class: "scrubber" }, marks, scrub, scale),
      h("div", { class: "controls" },
        h("button", { type: "button", class: "step edge", "aria-label": t("time.to_start"), title: t("time.to_start"), onclick: () => actions.go(0) }, "|‹"),
        buttons,
        h("button", { type: "button", class: "step edge", "aria-label": t("time.to_end"), title: t("time.to_end"), onclick: () => actions.go(Infinity) }, "›|")),
      h("div", { class: "under" }, where,
        h("label", { class: "speed" }, h("span", {}, t("time.play_by")),
          select(["example", "mistake", "epoch"].map((unit) => [unit, t(`time.unit.${unit}`)]), store.state.unit, (unit) => store.set({ unit }), { "aria-label": t("time.play_by") }),
          speed, pace)),
    );

    let drawnFor = null;
    const leading = () => {
      const { sides, active, compare } = store.state;
      const shown = compare ? sides : [sides[active]];
      return shown.filter((side) => side.replay).reduce((best, side) => (best && best.replay.length >= side.replay.length ? best : side), null);
    };
    const update = () => {
      const side = leading();
      const { playing, speed: rate } = store.state;
      play.replaceChildren(h("span", { class: "play-glyph", "aria-hidden": "true" }, playing ? "❚❚" : "▶"), h("span", { class: "play-text" }, t(playing ? "time.pause" : "time.play")));
      play.setAttribute("aria-pressed", String(playing));
      pace.textContent = t("time.pace", { rate: rate >= 10 ? Math.round(rate) : rate.toFixed(rate < 1 ? 1 : 0) });
      const own = Math.log2(rate);
      if (Number(speed.value) !== own) speed.value = own;
      for (const control of [scrub, play, ...box.querySelectorAll(".step")]) control.disabled = !side;
      if (!side) {
        where.textContent = "";
        return;
      }
      scrub.max = side.replay.length;
      scrub.value = side.at;
      const track = side.replay.leading(side.at, side.focus);
      const mistakes = side.replay.mistakes(side.at, side.focus);
      where.textContent =
        side.at === 0
          ? t("time.at_start", { n: side.replay.length })
          : t("time.at", { at: number(side.at), all: number(side.replay.length), epoch: number(track.epochOf(side.at) + 1), n: mistakes });
      scrub.setAttribute("aria-valuetext", where.textContent);
      if (drawnFor !== side.replay) {
        drawnFor = side.replay;
        marks.replaceChildren(svg("path", { d: epochLines(side.replay), class: "epoch-lines" }), svg("path", { d: mistakeBars(side.replay), class: "mistake-bars" }));
        scale.replaceChildren(...roundNumbers(side.replay.length).map((value) => {
          const mark = h("span", {}, number(value));
          mark.style.left = `${(100 * value) / side.replay.length}%`;
          return mark;
        }));
      }
    };
    store.subscribe(["sides", "playing", "speed", "active", "compare"], update);
    update();
  },
};

// Bars for the mistakes: one for each example of a short run. A long run is divided into intervals, and the height of a bar tells
// the number of mistakes in its interval, compared with the interval that has most.
function mistakeBars(replay) {
  const bins = Math.min(BINS, replay.length);
  const width = BINS / Math.max(1, bins);
  const mistakes = new Float64Array(bins);
  for (const track of replay.tracks) for (const k of track.k) mistakes[Math.floor((k * bins) / replay.length)] += 1;
  const most = Math.max(1, ...mistakes);
  const bar = Math.max(0.6, Math.min(3, 0.8 * width));
  return Array.from(mistakes, (n, bin) => {
    if (!n) return "";
    const height = 4 + (16 * n) / most;
    return `M${((bin + 1) * width - bar / 2).toFixed(2)} 20v${-height.toFixed(1)}h${bar.toFixed(2)}v${height.toFixed(1)}z`;
  }).join("");
}

// Lines between epochs, if there are few enough to be told apart.
function epochLines(replay) {
  const track = replay.tracks.find(({ presented }) => presented === replay.length);
  if (track.epochEnds.length > 60) return "";
  return Array.from(track.epochEnds, (end) => `M${((BINS * end) / replay.length).toFixed(2)} 0V20`).join("");
}

// About five round positions below the time line, without those too near to its end.
function roundNumbers(length) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, length / 5)));
  const step = [1, 2, 5, 10].map((m) => m * power).find((value) => length / value <= 6);
  const found = [0];
  for (let value = step; value < 0.94 * length; value += step) found.push(value);
  return length ? [...found, length] : found;
}
