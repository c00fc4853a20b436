// The rule of a run: what the lectures disagree on, with its defaults, its names, and the dialects.
export const DEFAULT_RULE = {
  convention: "L4",
  algorithm: "perceptron",
  fit_intercept: true,
  eta0: 1,
  tie: "negative",
  error_tie: null,
  order: "cyclic",
  init: "given",
  start: [-5, 0, 1],
  multi_class: "ova",
  random_state: 0,
  margin: 1,
  C: 1,
  ratchet: false,
  max_error: 0,
  max_iter: null,
  max_steps: 20000,
  patience: null,
};

export const NAMES = {
  algorithm: {
    perceptron: "Perceptron",
    margin: "Perceptron with margin",
    pa: "Passive-aggressive",
    pa1: "Passive-aggressive I",
    pa2: "Passive-aggressive II",
    pocket: "Pocket",
    averaged: "Averaged",
    batch: "Batch (gradient)",
  },
  tie: { mistake: "is a mistake", positive: "is positive", negative: "is negative" },
  order: { cyclic: "in turn", shuffle: "shuffled", misclassified: "from the mistakes" },
  init: { zeros: "zero", random: "random", given: "given" },
  multi_class: { ova: "one vs all", ovo: "one vs one", joint: "jointly" },
};

// The rule with a lecture's choices. A start that was given by hand stays, where the lecture leaves it open.
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

// What the engine is asked for: a rule without the page's own words.
export function asked(rule) {
  const { convention, ...parameters } = rule;
  return parameters;
}
