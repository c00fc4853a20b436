// Time: step by example, mistake or epoch, play, and scrub to any moment.
import { h, select, svg } from "../dom.js";
import { count } from "../numbers.js";

const STEPS = [
  ["epoch", -1, "Back one epoch"],
  ["mistake", -1, "Back to the last mistake"],
  ["example", -1, "Back one example"],
  ["play"],
  ["example", 1, "Next example"],
  ["mistake", 1, "Next mistake"],
  ["epoch", 1, "Next epoch"],
];

export const timePanel = {
  id: "time",
  area: "bottom",
  label: "Time",
  mount(box, { store, actions }) {
    const play = h("button", { type: "button", class: "play", onclick: () => actions.toggle() });
    const buttons = STEPS.map(([unit, direction, label]) =>
      unit === "play"
        ? play
        : h("button", { type: "button", class: "step", "data-step": `${unit}${direction}`, "aria-label": label, title: label,
            onclick: () => { actions.pause(); actions.step(unit, direction); } },
            h("span", { class: "glyph", "aria-hidden": "true" }, direction < 0 ? "‹" : ""),
            h("span", {}, unit),
            h("span", { class: "glyph", "aria-hidden": "true" }, direction > 0 ? "›" : "")),
    );
    const scrub = h("input", { type: "range", class: "scrub", min: 0, max: 0, step: 1, value: 0, "aria-label": "Scrub to any step",
      oninput: (event) => { actions.pause(); actions.go(Number(event.target.value)); } });
    const marks = svg("svg", { class: "marks", preserveAspectRatio: "none", viewBox: "0 0 1000 10", "aria-hidden": "true" });
    const where = h("p", { class: "where", "aria-live": "off" });
    const speed = h("input", { type: "range", min: -1, max: 10, step: 0.5, value: 1, "aria-label": "Speed",
      oninput: (event) => store.set({ speed: 2 ** Number(event.target.value) }) });
    const pace = h("output", { class: "pace" });
    box.append(
      h("div", { class: "scrubber" }, marks, scrub),
      h("div", { class: "controls" },
        h("button", { type: "button", class: "step edge", "aria-label": "To the start", title: "To the start", onclick: () => actions.go(0) }, "|‹"),
        buttons,
        h("button", { type: "button", class: "step edge", "aria-label": "To the end", title: "To the end", onclick: () => actions.go(Infinity) }, "›|")),
      h("div", { class: "under" }, where,
        h("label", { class: "speed" }, h("span", {}, "play by "),
          select([["example", "example"], ["mistake", "mistake"], ["epoch", "epoch"]], "example", (unit) => store.set({ unit }), { "aria-label": "Play by" }),
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
      play.textContent = playing ? "Pause" : "Play";
      play.setAttribute("aria-pressed", String(playing));
      pace.textContent = `${rate >= 10 ? Math.round(rate) : rate.toFixed(rate < 1 ? 1 : 0)} / s`;
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
      const unit = track.examples.sets ? "step" : "example";
      where.textContent =
        side.at === 0
          ? `The start, before the first of ${count(side.replay.length, unit)}`
          : `${unit[0].toUpperCase()}${unit.slice(1)} ${side.at.toLocaleString("en")} of ${side.replay.length.toLocaleString("en")}, epoch ${track.epochOf(side.at) + 1}, ${count(mistakes, "mistake")} so far`;
      scrub.setAttribute("aria-valuetext", where.textContent);
      if (drawnFor !== side.replay) {
        drawnFor = side.replay;
        marks.replaceChildren(svg("path", { d: ticksOf(side.replay), class: "mistake-ticks" }));
      }
    };
    store.subscribe(["sides", "playing", "speed", "active", "compare"], update);
    update();
  },
};

// One tick for each mistake, as far as a thousand places can tell them apart.
function ticksOf(replay) {
  const places = new Set();
  for (const track of replay.tracks) for (const k of track.k) places.add(Math.round((1000 * (k + 1)) / replay.length));
  return [...places].map((x) => `M${x} 0V10`).join("");
}
