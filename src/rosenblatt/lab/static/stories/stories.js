// The stories: guided paths through the lectures' questions. A story has steps; each step sets the lab, asks for a prediction,
// shows what happens, and answers. The texts are in the catalogue, under story.<id>.<step>.
//
// A step is { id, open, choices, right, reveal, panels, answers }: `open` is the state of the lab as an address, `choices` the number of
// predictions and `right` the index of the right one; `panels` are the panels beside the plane, `answers` further ones after the
// prediction. `reveal` is what a prediction sets off: { open } another state, { at } a position, { next } the next example or mistake,
// { moment } a number of mistakes on the bench of nonlinear boundaries. With `play`, the time line runs to the end by this unit.
import { t } from "../ui/strings.js";

const NOISY = [
  "0,0,0;1,0,0;0,1,0;1,1,0;2,1,0;1,2,0;0.5,1.5,0;1.5,0.5,0;4.5,4,0",
  "4,3,1;3,4,1;4,4,1;5,3,1;3,5,1;5,5,1;4.5,3.5,1;3.5,4.5,1;1,1.5,1",
].join(";");

const IN_A_ROW = [
  "0,0,0;1,0.5,0;0.5,1,0;0,1,0",
  "3,0,1;4,0.5,1;3.5,1,1;3,1,1",
  "6,0,2;7,0.5,2;6.5,1,2;6,1,2",
].join(";");

const END = 1_000_000; // beyond the end of every run, which becomes the end
const PLAIN = "rule=L0&tie=positive&init=zeros";
const noisy = `#points=${NOISY}&classes={names.no},{names.yes}&columns=x1,x2&${PLAIN}&max_steps=900&hide=proof`;
const row = `#points=${IN_A_ROW}&classes={names.left},{names.middle},{names.right}&columns=x1,x2&${PLAIN}&max_steps=1200`;
const throughOrigin = "#data=and&rule=L1&tie=positive&init=zeros&fit_intercept=false";
const unit = (data, start, at = 0) => `#data=${data}&rule=L0&tie=positive&init=given&start=${start}&at=${at}`;
const kernel = (data, choices) => `#data=${data}&${PLAIN}&max_steps=2000&bench=nonlinear&nonlinear.method=kernel&${choices}`;
const dual = (moment) => kernel("and", `nonlinear.kernel=linear&nonlinear.gamma=scale&nonlinear.moment=${moment}`);

export const STORIES = [
  {
    id: "unit",
    source: "L0, L3, L4",
    steps: [
      { id: "score", open: unit("or", "-0.5,1,1"), choices: 3, right: 0, reveal: { at: 1 } },
      { id: "offset", open: unit("or", "-0.5,1,1", 4), choices: 3, right: 1, reveal: { open: unit("and", "-1.5,1,1", 4) } },
      { id: "scale", open: unit("and", "-1.5,1,1", 4), choices: 3, right: 0, reveal: { open: unit("and", "-15,10,10", 4) } },
    ],
  },
  {
    id: "update",
    source: "L4",
    steps: [
      { id: "first", open: "#data=lecture4&rule=L4", choices: 2, right: 1, reveal: { at: 1 } },
      { id: "mistake", open: "#data=lecture4&rule=L4&at=1", choices: 3, right: 1, reveal: { at: 2 } },
      { id: "end", open: "#data=lecture4&rule=L4&at=2", choices: 3, right: 1, reveal: { at: END, play: "mistake" } },
    ],
  },
  {
    id: "tie",
    source: "L0, L3, L4",
    steps: [
      { id: "positive", open: `#data=and&${PLAIN}`, choices: 2, right: 0, reveal: { at: 1 } },
      { id: "negative", open: "#data=and&rule=L3&tie=negative&init=zeros&eta0=2", choices: 2, right: 1, reveal: { at: 1 } },
      {
        id: "most",
        open: "#data=and&rule=L0&tie=mistake&init=zeros",
        choices: 3,
        right: 2,
        reveal: { open: `#data=and&rule=L0&tie=mistake&init=zeros&at=${END}&b.rule=L0&b.tie=positive&b.init=zeros&b.at=${END}` },
      },
    ],
  },
  {
    id: "origin",
    source: "L1",
    steps: [
      { id: "without", answers: ["proof"], open: `${throughOrigin}&hide=proof`, choices: 2, right: 1, reveal: { open: `${throughOrigin}&at=${END}` } },
      { id: "with", panels: ["proof"], open: `${throughOrigin}&at=${END}`, choices: 3, right: 1, reveal: { open: `#data=and&${PLAIN}&at=${END}` } },
    ],
  },
  {
    id: "walls",
    source: "L3",
    steps: [
      { id: "race", panels: ["proof"], open: `#data=and&${PLAIN}`, choices: 2, right: 0, reveal: { at: END, play: "mistake" } },
      { id: "eta", panels: ["proof"], open: `#data=and&${PLAIN}&at=${END}`, choices: 3, right: 1, reveal: { open: `#data=and&${PLAIN}&eta0=0.25&at=${END}` } },
      { id: "far", panels: ["proof"], open: `#data=and&${PLAIN}&at=${END}`, choices: 3, right: 2, reveal: { open: `#points=2,2,0;2,3,0;3,2,0;3,3,1&classes=0,1&columns=x1,x2&${PLAIN}&at=${END}` } },
    ],
  },
  {
    id: "xor",
    source: "L3",
    steps: [
      { id: "run", open: `#data=xor&${PLAIN}&hide=proof`, choices: 3, right: 2, reveal: { at: END, play: "example" } },
      { id: "why", answers: ["proof"], open: `#data=xor&${PLAIN}&hide=proof&at=${END}`, choices: 3, right: 1, reveal: { open: `#data=xor&${PLAIN}&at=${END}` } },
      { id: "erase", panels: ["proof"], open: `#data=xor&${PLAIN}&at=${END}`, choices: 2, right: 0, reveal: { open: `#points=0,0,0;0,1,1;1,0,1&classes=0,1&columns=x1,x2&${PLAIN}&at=${END}` } },
    ],
  },
  {
    id: "order",
    source: "L0, L2",
    steps: [
      { id: "shuffle", panels: ["proof"], open: `#data=and&${PLAIN}&at=${END}`, choices: 3, right: 1, reveal: { open: `#data=and&${PLAIN}&at=${END}&b.rule=L0&b.tie=positive&b.init=zeros&b.order=shuffle&b.random_state=1&b.at=${END}` } },
      { id: "drawn", open: "#data=and&rule=L2&tie=mistake&init=zeros&order=misclassified", choices: 2, right: 1, reveal: { at: END, play: "example" } },
    ],
  },
  {
    id: "pocket",
    source: "L0",
    steps: [
      { id: "counters", open: `${noisy}&algorithm=pocket&also=pocket&at=37`, choices: 3, right: 0, reveal: { next: "example" } },
      { id: "shorter", open: `${noisy}&algorithm=pocket&also=pocket&at=39`, choices: 3, right: 1, reveal: { next: "example" } },
      { id: "end", panels: ["step", "charts"], open: `${noisy}&algorithm=pocket&also=pocket&at=258`, choices: 2, right: 1, reveal: { at: END, play: "epoch" } },
    ],
  },
  {
    id: "average",
    source: "Freund & Schapire 1999",
    steps: [
      { id: "calm", panels: ["step", "charts"], open: `${noisy}&also=average&at=108`, choices: 2, right: 1, reveal: { at: END, play: "epoch" } },
      { id: "final", panels: ["step", "charts"], open: `${noisy}&algorithm=averaged&also=average&at=108`, choices: 3, right: 2, reveal: { at: END } },
    ],
  },
  {
    id: "classes",
    source: "L4",
    steps: [
      { id: "all", open: `${row}&multi_class=ova`, choices: 3, right: 1, reveal: { at: END } },
      { id: "pairs", panels: ["votes"], open: `${row}&multi_class=ova&at=${END}`, choices: 2, right: 0, reveal: { open: `${row}&multi_class=ovo&at=${END}` } },
      { id: "joint", open: `${row}&multi_class=joint`, choices: 3, right: 1, reveal: { next: "mistake" } },
    ],
  },
  {
    id: "dual",
    source: "L2",
    steps: [
      { id: "alpha", panels: ["dual"], open: dual(0), choices: 3, right: 0, reveal: { moment: 1 } },
      { id: "largest", panels: ["dual"], open: dual(3), choices: 3, right: 2, reveal: { moment: null } },
    ],
  },
  {
    id: "kernel",
    source: "L0, L2",
    steps: [
      {
        id: "product",
        panels: ["dual"],
        open: kernel("circles", "nonlinear.kernel=linear&nonlinear.moment="),
        choices: 3,
        right: 1,
        reveal: { open: kernel("circles", "nonlinear.kernel=poly&nonlinear.gamma=scale&nonlinear.degree=2&nonlinear.coef0=1&nonlinear.moment=") },
      },
      {
        id: "support",
        panels: ["dual"],
        open: kernel("circles", "nonlinear.kernel=rbf&nonlinear.gamma=scale&nonlinear.moment=0"),
        choices: 3,
        right: 1,
        reveal: { moment: null },
      },
    ],
  },
  {
    id: "network",
    source: "L0, L3",
    steps: [
      {
        id: "hidden",
        panels: ["dual"],
        open: `#data=xor&${PLAIN}&bench=nonlinear&nonlinear.method=features&nonlinear.features=squares&nonlinear.moment=`,
        choices: 3,
        right: 1,
        reveal: { open: `#data=xor&${PLAIN}&bench=nonlinear&nonlinear.method=network&nonlinear.moment=` },
      },
    ],
  },
];

export function storyOf(id) {
  return STORIES.find((story) => story.id === id) ?? null;
}

// The address that opens a step of a story, with the names of its classes in the language of the page.
export function stepAddress(story, step, address = story.steps[step].open) {
  const inLanguage = address.replace(/\{names\.(\w+)\}/g, (_, name) => encodeURIComponent(t(`names.${name}`)));
  return `${inLanguage}&story=${story.id}&step=${step + 1}`;
}
