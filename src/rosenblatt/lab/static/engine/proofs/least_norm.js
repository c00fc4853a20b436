// The point of least norm in the convex hull of integer vectors, exactly: Wolfe's method (1976) in integers.
//
// `nearest(p)` returns the vertex { key, v } of the hull that has the smallest p·v, for p given up to a positive factor. The
// answer is { p, denominator, terms }: the point is p / denominator = Σ (weight / total) v over its terms, and every vertex
// has v·p ≥ p·p. In exact arithmetic the method ends. `work` adds up the work and throws an error beyond a limit.
import { dot, gcd, products, solve, wordsOf } from "./exact.js";

export class OutOfWork extends Error {}

export function leastNorm(first, nearest, work) {
  let terms = [{ ...first, weight: 1n }];
  let total = 1n;
  let p = first.v;
  for (;;) {
    const found = nearest(p);
    // With the point p / total: v·p ≥ |p|² / total.
    if (dot(p, found.v) * total >= dot(p, p)) return { p, denominator: total, terms };
    terms.push({ ...found, weight: 0n });
    ({ terms, total } = minimized(terms, total, work));
    p = pointOf(terms);
  }
}

function pointOf(terms) {
  return terms[0].v.map((_, j) => terms.reduce((sum, { v, weight }) => sum + weight * v[j], 0n));
}

// Moves to the point of least norm in the affine hull of the terms. Terms whose weight would become negative are dropped.
function minimized(terms, total, work) {
  for (;;) {
    const n = terms.length;
    work(products(n * n * terms[0].v.length, 1));
    const A = terms.map((a) => [...terms.map((b) => dot(a.v, b.v)), 1n]);
    // Bareiss's elimination: 3n³ products and quotients of integers that grow to n times the size of an entry, half of it on average.
    const words = (n * wordsOf(terms.map((_, k) => A[k][k]))) / 2;
    work(products(3 * n ** 3, words, words));
    A.push([...terms.map(() => 1n), 0n]);
    const { numerators, denominator } = solve(A, [...terms.map(() => 0n), 1n]);
    const target = numerators.slice(0, n);
    if (target.every((weight) => weight > 0n)) return reduced(terms, target, denominator);
    // The largest step θ = a/b in [0, 1) along (1 − θ)·weight + θ·target that keeps all weights at 0 or above.
    let [a, b] = [1n, 1n];
    terms.forEach(({ weight }, k) => {
      const [from, to] = [weight * denominator, target[k] * total];
      if (to > 0n || from - to <= 0n) return;
      if (from * b < a * (from - to)) [a, b] = [from, from - to];
    });
    const weights = terms.map(({ weight }, k) => (b - a) * weight * denominator + a * target[k] * total);
    const kept = terms.filter((_, k) => weights[k] > 0n);
    ({ terms, total } = reduced(kept, weights.filter((weight) => weight > 0n), b * denominator * total));
  }
}

function reduced(terms, weights, total) {
  const common = weights.reduce(gcd, total);
  return { terms: terms.map((term, k) => ({ ...term, weight: weights[k] / common })), total: total / common };
}
