// Half-planes, polygons and class regions, in data coordinates.

export function score(w, x, y) {
  return w[1] * x + w[2] * y + w[0];
}

// The part of a convex polygon where w·(1, x, y) ≥ 0.
export function clip(polygon, w) {
  const kept = [];
  for (let k = 0; k < polygon.length; k++) {
    const a = polygon[k];
    const b = polygon[(k + 1) % polygon.length];
    const sa = score(w, a[0], a[1]);
    const sb = score(w, b[0], b[1]);
    if (sa >= 0) kept.push(a);
    if (sa >= 0 !== sb >= 0) {
      const t = sa / (sa - sb);
      kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
    }
  }
  return kept.length > 2 ? kept : [];
}

export function negated(w) {
  return w.map((value) => -value);
}

export function difference(a, b) {
  return a.map((value, j) => value - b[j]);
}

// Where the line w = level crosses a convex polygon: two points, or null.
export function chord(polygon, w, level = 0) {
  if (w[1] === 0 && w[2] === 0) return null;
  const shifted = [w[0] - level, w[1], w[2]];
  const ends = [];
  for (let k = 0; k < polygon.length; k++) {
    const a = polygon[k];
    const b = polygon[(k + 1) % polygon.length];
    const sa = score(shifted, a[0], a[1]);
    const sb = score(shifted, b[0], b[1]);
    if (sa >= 0 !== sb >= 0) {
      const t = sa / (sa - sb);
      ends.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
    }
  }
  return ends.length >= 2 ? [ends[0], ends[1]] : null;
}

// The polygons in which each class is predicted: [{ place, polygon }]; `place` is an index into the run's classes.
export function regions(run, planes, frame) {
  if (planes.every((w) => w.every((value) => value === 0))) return []; // every score is 0: no class is predicted anywhere
  if (run.kind === "two") {
    return [
      { place: 1, polygon: clip(frame, planes[0]) },
      { place: 0, polygon: clip(frame, negated(planes[0])) },
    ].filter(({ polygon }) => polygon.length);
  }
  return run.kind === "ovo" ? voted(run, planes, frame) : largest(planes, frame);
}

function largest(planes, frame) {
  return planes
    .map((mine, place) => {
      const others = planes.filter((_, other) => other !== place);
      return { place, polygon: others.reduce((left, other) => clip(left, difference(mine, other)), frame) };
    })
    .filter(({ polygon }) => polygon.length);
}

// One-vs-one: the lines of all pairs divide the frame into cells of constant votes. Equal votes are decided by summed scores.
function voted(run, planes, frame) {
  let cells = [{ polygon: frame, votes: run.classes.map(() => 0) }];
  run.pairs.forEach(([a, b], pair) => {
    cells = cells.flatMap(({ polygon, votes }) =>
      [[b, planes[pair]], [a, negated(planes[pair])]]
        .map(([winner, w]) => ({
          polygon: clip(polygon, w),
          votes: votes.map((n, place) => n + (place === winner)),
        }))
        .filter((cell) => cell.polygon.length),
    );
  });
  const sums = run.classes.map(() => [0, 0, 0]);
  run.pairs.forEach(([a, b], pair) => {
    for (let j = 0; j < 3; j++) {
      sums[b][j] += planes[pair][j];
      sums[a][j] -= planes[pair][j];
    }
  });
  return cells.flatMap(({ polygon, votes }) => {
    const best = Math.max(...votes);
    const leaders = votes.flatMap((n, place) => (n === best ? [place] : []));
    return leaders
      .map((place) => ({
        place,
        polygon: leaders
          .filter((other) => other !== place)
          .reduce((left, other) => clip(left, difference(sums[place], sums[other])), polygon),
      }))
      .filter((cell) => cell.polygon.length);
  });
}
