// Exact arithmetic with BigInt: conversion of doubles to integers, linear systems, square roots.
const BITS = new DataView(new ArrayBuffer(8));

// A finite double as [m, e] with value m·2^e.
function parts(value) {
  BITS.setFloat64(0, value);
  const bits = BITS.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const m = exponent ? fraction | 0x10000000000000n : fraction;
  return [bits >> 63n ? -m : m, (exponent || 1) - 1075];
}

// Writes all values as integers times one power of two: { integers, shift } with value = integer / 2^shift.
export function asIntegers(values) {
  const split = Array.from(values, parts).map(([m, e]) => {
    if (m === 0n) return [0n, 0];
    while (!(m & 1n)) [m, e] = [m >> 1n, e + 1];
    return [m, e];
  });
  const shift = split.reduce((most, [m, e]) => (m === 0n ? most : Math.max(most, -e)), 0);
  return { integers: split.map(([m, e]) => m << BigInt(e + shift)), shift };
}

// The number of 64-bit words of the longest of some integers.
export function wordsOf(values) {
  return values.reduce((most, value) => Math.max(most, Math.ceil(value.toString(16).length / 16)), 1);
}

// The work of `count` products of integers of these numbers of words, in nanoseconds of an ordinary processor.
export function products(count, words, others = 1) {
  return count * (50 + words * others);
}

export function dot(a, b) {
  let sum = 0n;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}

export function gcd(a, b) {
  [a, b] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (b) [a, b] = [b, a % b];
  return a;
}

// Divides an integer vector by the greatest common divisor of its entries.
export function primitive(values) {
  const common = values.reduce(gcd, 0n);
  return common > 1n ? values.map((value) => value / common) : values;
}

// Solves A·u = b in integers by Bareiss's elimination: u = numerators / denominator with denominator > 0. A is regular.
export function solve(A, b) {
  const n = A.length;
  const M = A.map((row, i) => [...row, b[i]]);
  let previous = 1n;
  for (let k = 0; k < n; k++) {
    const pivot = M.findIndex((row, i) => i >= k && row[k] !== 0n);
    [M[k], M[pivot]] = [M[pivot], M[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = M[i][k];
      for (let j = 0; j <= n; j++) M[i][j] = (M[k][k] * M[i][j] - factor * M[k][j]) / previous;
    }
    previous = M[k][k];
  }
  // All diagonal entries are now equal to the last pivot, up to the sign of the row swaps.
  const sign = previous < 0n ? -1n : 1n;
  return { numerators: M.map((row) => sign * row[n]), denominator: sign * previous };
}

export function isqrt(value) {
  if (value < 2n) return value;
  let x = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + value / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

// √(numerator / denominator) as a double.
export function rootOf(numerator, denominator) {
  let shift = 140 - (numerator.toString(2).length - denominator.toString(2).length);
  shift += shift & 1;
  const scaled = shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift));
  return Number(isqrt(scaled)) * 2 ** (-shift / 2);
}

// A fraction as Python writes it: "9/4", or "2".
export function fractionText(numerator, denominator) {
  const common = gcd(numerator, denominator);
  return denominator === common ? String(numerator / common) : `${numerator / common}/${denominator / common}`;
}
