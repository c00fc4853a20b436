// The two inequalities of the convergence proof (L3), after M mistakes from a start v, û the best separator:
//   û·w ≥ û·v + η·γ·M            every mistake increases û·w by at least η·γ: the wall moves
//   ‖w‖ ≤ √(‖v‖² + η²·R²·M)      but ‖w‖² by at most η²·R²: the ceiling rises more slowly
// From v = 0 these are ηMγ ≤ û·w ≤ ‖w‖ ≤ η√M·R, and both hold only while M ≤ (R/γ)².
export function wallsAfter(track, proof, eta0, m) {
  const { margin, fit_intercept: offset } = proof;
  const space = (w) => (offset ? Array.from(w) : Array.from(w).slice(1));
  const start = space(track.weightsAfter(0));
  const w = space(track.weightsAfter(m));
  const u = margin.separator;
  return {
    mistakes: m,
    floor: dot(start, u) + eta0 * margin.gamma * m,
    projection: dot(w, u),
    norm: Math.sqrt(dot(w, w)),
    ceiling: Math.sqrt(dot(start, start) + (eta0 * margin.radius) ** 2 * m),
  };
}

export function dot(a, b) {
  return a.reduce((sum, value, j) => sum + value * b[j], 0);
}
