// The rule of a run: the parameters on which the lectures differ, with defaults, names and dialects.
import { hasText, t } from "../ui/strings.js";

export const DEFAULT_RULE = {
  convention: "L4",
  algorithm: "perceptron",
  fit_intercept: true,
  eta0: 1,
  tie: "negative",
  error_tie: null,
  order: "cyclic",
  init: "given",
  init_scale: 0.5,
  start: [-5, 0, 1],
  multi_class: "ova",
  rivals: "best",
  random_state: 0,
  margin: 1,
  C: 1,
  ratchet: false,
  max_error: 0,
  max_iter: null,
  max_steps: 20000,
  patience: null,
};

// The start of a built-in data set: L4's example has its own initial weights, any other set starts at zero.
export function startOf(name) {
  return name === "lecture4" ? { init: "given", start: DEFAULT_RULE.start } : { init: "zeros" };
}

// The values that a choice has, in the order of its list.
const CHOICES = {
  algorithm: ["perceptron", "margin", "pa", "pa1", "pa2", "pocket", "averaged", "batch"],
  tie: ["mistake", "positive", "negative"],
  order: ["cyclic", "shuffle", "misclassified"],
  init: ["zeros", "random", "given"],
  multi_class: ["ova", "ovo", "joint"],
  rivals: ["best", "all"],
};

// The options of a choice, as [value, text].
export function optionsOf(key) {
  return CHOICES[key].map((value) => [value, t(`rule.${key}.${value}`)]);
}

// A dialect by what it does. A dialect of the user has its own name.
export function dialectName(name) {
  return hasText(`dialect.${name}.name`) ? t(`dialect.${name}.name`) : name ?? "";
}

// A rule in a few words: its dialect, or what it does differently.
export function ruleName(rule, catalogue) {
  if (!rule) return "";
  const changed = departures(rule, catalogue).map((key) => {
    if (key in CHOICES) return `${t(`rule.${key}`)} ${t(`rule.${key}.${rule[key]}`)}`;
    return typeof rule[key] === "number" ? `${t(`rule.word.${key}`)} = ${rule[key]}` : t(`rule.word.${key}`);
  });
  return changed.join(", ") || dialectName(rule.convention);
}

// How a run ended, in a word or two, with the period of a cycle.
export function endingName({ status, cycle }) {
  const name = t(`ending.${status}.name`);
  return cycle ? t("ending.with_period", { name, n: cycle }) : name;
}

// Applies a lecture's choices to a rule. A start that the user entered is kept if the lecture does not define one.
export function withConvention(rule, name, catalogue) {
  const values = catalogue.conventions[name].values;
  const made = { ...rule, error_tie: null, max_error: 0, patience: null, convention: name, algorithm: "perceptron" };
  for (const [key, value] of Object.entries(values)) made[key] = value;
  return made;
}

// Which choices of the named lecture the rule has changed.
export function departures(rule, catalogue) {
  const values = catalogue?.conventions[rule.convention]?.values ?? {};
  return Object.keys(values).filter(
    (key) => rule[key] !== values[key] && !(key === "init" && values.init === "random" && rule.init === "given"),
  );
}

// The parameters that are sent to the engine: the rule without the keys that only the page uses.
export function parametersOf(rule) {
  const { convention, ...parameters } = rule;
  return parameters;
}
