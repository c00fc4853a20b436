// The lesson that is open: its question, something to try, and whether it is done.
import { BENCHES } from "../benches.js";
import { h } from "../dom.js";
import { LESSONS, lessonAddress } from "../lessons.js";
import { openFromUrl } from "../url.js";

const HEARD = ["sides", "proofs", "boolean", "beyond", "beside", "compare", "probe", "bench", "data"];

export const lessonsPanel = {
  id: "lessons",
  area: "top",
  label: "Lessons",
  benches: BENCHES.map(([name]) => name),
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const card = h("div", { class: "lesson", hidden: true });
    box.append(card);
    let opening = false;
    let memory = {};

    // Brings the lab to where a lesson begins.
    async function open(lesson) {
      opening = true;
      lab.touchedView = false;
      try {
        await openFromUrl(lab, lessonAddress(lesson));
      } finally {
        opening = false;
      }
      memory = {};
      check();
    }
    lab.openLesson = (k) => open(LESSONS[k]);

    function check() {
      const lesson = LESSONS.find(({ id }) => id === store.state.lesson);
      if (!lesson || opening || store.state.loading) return;
      if (!store.state.learnt.includes(lesson.id) && lesson.done(store.state, memory)) store.set({ learnt: [...store.state.learnt, lesson.id] });
    }

    const show = () => {
      const k = LESSONS.findIndex(({ id }) => id === store.state.lesson);
      card.hidden = k < 0;
      if (k < 0) return;
      const lesson = LESSONS[k];
      const done = store.state.learnt.includes(lesson.id);
      const focused = card.contains(document.activeElement) ? document.activeElement.dataset.part : null;
      const go = (to) => h("button", { type: "button", disabled: !LESSONS[to], "data-part": to > k ? "next" : "back", class: to > k && done ? "primary" : "", onclick: () => open(LESSONS[to]) }, to > k ? "Next" : "Back");
      card.classList.toggle("done", done);
      card.dataset.lesson = lesson.id;
      card.replaceChildren(
        h("h2", {}, `${k + 1}. ${lesson.question} `, h("small", { class: "soft" }, lesson.source)),
        h("p", {}, lesson.text),
        h("p", {}, h("strong", {}, "Try: "), lesson.todo),
        h("div", { class: "row" },
          h("span", { class: "check-said", role: "status" }, done ? "✓ Done." : "Not done yet."),
          go(k - 1), go(k + 1),
          h("button", { type: "button", class: "quiet", "data-part": "again", onclick: () => open(lesson) }, "From the start"),
          h("button", { type: "button", class: "quiet", "data-part": "close", onclick: () => store.set({ lesson: null }) }, "Close"),
          h("div", { class: "parts", role: "group", "aria-label": "All lessons" },
            LESSONS.map(({ id, question }, j) => h("button", { type: "button", class: `part${store.state.learnt.includes(id) ? " learnt" : ""}`, "data-part": `to-${j}`, "aria-label": `Lesson ${j + 1}: ${question}`, "aria-pressed": String(j === k), onclick: () => open(LESSONS[j]) }, j + 1)))),
      );
      if (focused) (card.querySelector(`[data-part="${focused}"]:not(:disabled)`) ?? card.querySelector("button"))?.focus();
    };

    store.subscribe(["lesson"], () => {
      memory = {};
      show();
    });
    store.subscribe(["learnt"], show);
    store.subscribe(HEARD, check);
    show();
  },
};
