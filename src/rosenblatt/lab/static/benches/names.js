// The names of the benches (the views) of the lab. Each bench shows its own panels. The second entry is the key of its title.
export const BENCHES = [
  ["line", "benches.line"],
  ["nonlinear", "benches.nonlinear"],
  ["boolean", "benches.boolean"],
];
