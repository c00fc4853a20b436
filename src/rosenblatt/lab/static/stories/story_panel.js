// The panel of the open story, beside the plane: the text of a step, its question, the choices, and the answer after a choice.
import { BENCHES } from "../benches/names.js";
import { STORIES, stepAddress, storyOf } from "./stories.js";
import { h } from "../ui/dom.js";
import { openFromUrl } from "../state/url.js";
import { prefersNoMotion } from "../plane/motion.js";
import { t } from "../ui/strings.js";

const PLAY_SPEED = { example: 4, mistake: 2, epoch: 6 }; // units per second when an answer is played

export const storyPanel = {
  id: "story",
  area: "story",
  label: "stories.label",
  benches: BENCHES.map(([name]) => name),
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const card = h("div", { class: "story" });
    box.append(card);
    lab.openStory = (id, step = 0) => openStep(lab, storyOf(id), step);
    lab.openStories = () => store.set({ story: { id: null, step: 0, choice: null } });
    let shown = null; // the story and step that are shown
    const show = () => {
      const { story: open } = store.state;
      if (!open) return card.replaceChildren();
      const focused = card.contains(document.activeElement) ? document.activeElement.dataset.part : null;
      const story = storyOf(open.id);
      Object.assign(card.dataset, { story: open.id ?? "", step: open.step + 1, answered: String(open.choice !== null) });
      card.replaceChildren(...(story ? storyStep(lab, story, open) : storyList(lab)));
      const place = `${open.id} ${open.step}`;
      // A reader of the keyboard or of a screen reader goes on at the top of a new step, and stays where they are in the same one.
      if (focused) (place === shown ? card.querySelector(`[data-part="${focused}"]`) : card.querySelector(".story-title"))?.focus();
      shown = place;
    };
    store.subscribe(["story", "finished"], show);
    show();
  },
};

// Sets the lab to the beginning of a step.
async function openStep(lab, story, step) {
  lab.touchedView = false;
  lab.actions.pause();
  lab.store.set({ story: { id: story.id, step, choice: null }, probe: null });
  await openFromUrl(lab, stepAddress(story, step));
  lab.root.querySelector(".area.story")?.scrollTo(0, 0);
}

// Records a prediction and shows what happens.
async function choose(lab, story, choice) {
  const { store, actions } = lab;
  const { step } = store.state.story;
  store.set({ story: { id: story.id, step, choice } });
  if (step === story.steps.length - 1 && !store.state.finished.includes(story.id)) store.set({ finished: [...store.state.finished, story.id] });
  const { open, at, next, moment, play } = story.steps[step].reveal;
  actions.pause();
  if (open) await openFromUrl(lab, stepAddress(story, step, open));
  else if (moment !== undefined) store.set({ nonlinear: { ...store.state.nonlinear, moment } });
  else if (next) actions.step(next, 1);
  else if (play && !prefersNoMotion()) {
    store.set({ unit: play, speed: PLAY_SPEED[play] });
    actions.play();
  } else actions.go(at);
}

function storyStep(lab, story, { step, choice }) {
  const { id, choices, right } = story.steps[step];
  const text = (part) => t(`story.${story.id}.${id}.${part}`);
  const answered = choice !== null;
  const options = Array.from({ length: choices }, (_, k) =>
    h("button", {
      type: "button",
      class: `choice${answered && k === right ? " right" : answered && k === choice ? " wrong" : ""}`,
      "data-part": `choice-${k}`,
      "aria-pressed": String(choice === k),
      onclick: () => choose(lab, story, k),
    }, text(`choice${k + 1}`)));
  const verdict = t(choice === right ? "stories.right" : "stories.wrong", { choice: text(`choice${right + 1}`) });
  return [
    h("p", { class: "soft" }, t("stories.place", { lecture: story.source, step: step + 1, steps: story.steps.length })),
    h("h2", { class: "story-title", tabindex: -1 }, t(`story.${story.id}.title`)),
    h("p", {}, text("text")),
    h("p", { class: "ask" }, h("strong", {}, t("stories.ask")), " ", text("ask")),
    h("div", { class: "choices", role: "group", "aria-label": t("stories.choices") }, options),
    h("div", { class: "answer", role: "status" }, answered ? [h("p", { class: `verdict ${choice === right ? "right" : "wrong"}` }, verdict), h("p", {}, text("answer"))] : null),
    navigation(lab, story, step, answered),
  ];
}

function navigation(lab, story, step, answered) {
  const following = STORIES[STORIES.indexOf(story) + 1];
  const last = step === story.steps.length - 1;
  const go = (part, label, action, primary = false) => h("button", { type: "button", "data-part": part, class: primary ? "primary" : "", disabled: !action, onclick: action ?? (() => {}) }, label);
  return h("nav", { class: "story-nav", "aria-label": t("stories.navigation") },
    go("back", t("stories.back"), step > 0 ? () => lab.openStory(story.id, step - 1) : null),
    last
      ? go("next", t(following ? "stories.next_story" : "stories.all"), following ? () => lab.openStory(following.id) : lab.openStories, answered)
      : go("next", t("stories.next"), () => lab.openStory(story.id, step + 1), answered),
    last && !following ? null : go("list", t("stories.list"), lab.openStories),
    go("close", t("common.close"), () => lab.store.set({ story: null })));
}

function storyList(lab) {
  const { finished } = lab.store.state;
  return [
    h("h2", { class: "story-title", tabindex: -1 }, t("stories.all")),
    h("p", { class: "soft" }, t("stories.intro")),
    h("ol", { class: "story-list" }, STORIES.map(({ id, source }) =>
      h("li", {}, h("button", { type: "button", "data-part": `story-${id}`, onclick: () => lab.openStory(id) },
        h("span", {}, `${t(`story.${id}.title`)}${finished.includes(id) ? " ✓" : ""}`), h("small", { class: "soft" }, source))))),
    h("nav", { class: "story-nav", "aria-label": t("stories.navigation") }, h("button", { type: "button", "data-part": "close", onclick: () => lab.store.set({ story: null }) }, t("common.close"))),
  ];
}
