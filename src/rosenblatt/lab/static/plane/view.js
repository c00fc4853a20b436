// The visible part of the plane: a centre and one scale for both axes, so that angles are preserved.
export function createView(width, height) {
  return { cx: 0, cy: 0, scale: 40, width, height };
}

export function toPixel(view, x, y) {
  return [view.width / 2 + (x - view.cx) * view.scale, view.height / 2 - (y - view.cy) * view.scale];
}

export function toData(view, px, py) {
  return [view.cx + (px - view.width / 2) / view.scale, view.cy - (py - view.height / 2) / view.scale];
}

// The visible rectangle as a polygon in data coordinates, slightly enlarged so that edges are not visible.
export function frame(view) {
  const dx = view.width / view.scale / 2 + 4 / view.scale;
  const dy = view.height / view.scale / 2 + 4 / view.scale;
  return [
    [view.cx - dx, view.cy - dy],
    [view.cx + dx, view.cy - dy],
    [view.cx + dx, view.cy + dy],
    [view.cx - dx, view.cy + dy],
  ];
}

// A view of all points [x, y] with a border, and of the origin unless it is far away. `tips` are the ends of w in a short run: if they
// are of the same magnitude as the data, the view includes them.
export function fitted(points, tips, width, height) {
  if (!points.length) return { cx: 0, cy: 0, scale: Math.min(width, height) / 12, width, height };
  let [left, right] = extent(points.map(([x]) => x));
  let [low, high] = extent(points.map(([, y]) => y));
  const spread = Math.max(right - left, high - low) || 1;
  const largest = Math.max(...[left, right, low, high].map(Math.abs));
  const withTips = tips.length > 0 && tips.every((tip) => Math.max(...tip.map(Math.abs)) <= 1.5 * largest);
  const near = Math.max(left, -right, low, -high) <= spread;
  if (near || withTips) {
    for (const [x, y] of [[0, 0], ...(withTips ? tips : [])]) {
      [left, right, low, high] = [Math.min(left, x), Math.max(right, x), Math.min(low, y), Math.max(high, y)];
    }
  }
  const room = (withTips ? 0.14 : 0.26) * Math.max(right - left, high - low, 1e-9) || 2;
  const scale = Math.min(width / (right - left + 2 * room), height / (high - low + 2 * room));
  return { cx: (left + right) / 2, cy: (low + high) / 2, scale, width, height };
}

export function zoomed(view, px, py, factor) {
  const [x, y] = toData(view, px, py);
  const most = 1e12 / Math.max(Math.abs(x), Math.abs(y), 1e-100); // beyond it, neighbouring pixels have the same coordinates
  const scale = Math.max(1e-250, Math.min(most, view.scale * factor));
  return { ...view, scale, cx: x - (px - view.width / 2) / scale, cy: y + (py - view.height / 2) / scale };
}

// Round numbers for an axis, about one every 80 pixels, and the step between them.
export function ticks(low, high, scale) {
  const rough = 80 / scale;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(Number((k * step).toPrecision(12)));
  return { step, values: found };
}

function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
