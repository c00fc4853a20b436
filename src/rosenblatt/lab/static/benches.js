// The benches of the lab: each shows its own panels.
export const BENCHES = [
  ["line", "One line"],
  ["beyond", "Beyond the line"],
  ["boolean", "Boolean functions"],
];
