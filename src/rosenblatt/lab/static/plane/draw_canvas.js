// Draws a scene on a canvas.
import { corners } from "./looks.js";

export function drawCanvas(context, shapes, halo) {
  for (const shape of shapes) DRAW[shape.kind](context, shape, halo);
}

const DRAW = {
  polygon(context, { points, fill, opacity }) {
    context.globalAlpha = opacity;
    context.fillStyle = fill;
    path(context, points);
    context.fill();
    context.globalAlpha = 1;
  },
  line(context, { a, b, stroke, width, dash }) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash(dash ?? []);
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.stroke();
    context.setLineDash([]);
  },
  arrow(context, { a, b, stroke, width }) {
    const { shaft, head } = arrowParts(a, b, width);
    DRAW.line(context, { a, b: shaft, stroke, width });
    context.fillStyle = stroke;
    path(context, head);
    context.fill();
  },
  marker(context, { at, shape, r, fill, stroke, width }) {
    const points = corners(shape, r);
    if (points) path(context, points.map(([x, y]) => [at[0] + x, at[1] + y]));
    else {
      context.beginPath();
      context.arc(at[0], at[1], r, 0, 2 * Math.PI);
    }
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke();
  },
  ring(context, { at, r, stroke, width }) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    context.arc(at[0], at[1], r, 0, 2 * Math.PI);
    context.stroke();
  },
  text(context, { at, text, fill, anchor, italic }, halo) {
    context.font = fontOf(italic);
    context.textAlign = { start: "left", middle: "center", end: "right" }[anchor];
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = halo;
    context.strokeText(text, ...at);
    context.fillStyle = fill;
    context.fillText(text, ...at);
  },
};

export function fontOf(italic) {
  return italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
}

function path(context, points) {
  context.beginPath();
  points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

// An arrow is a shaft and a filled head; a very short arrow has only the head.
export function arrowParts(a, b, width) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (length < 1e-6) return { shaft: a, head: [a, a, a] };
  const size = Math.min(4 + 2.4 * width, length);
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const base = [b[0] - size * ux, b[1] - size * uy];
  const half = 0.42 * size;
  return { shaft: base, head: [b, [base[0] - half * uy, base[1] + half * ux], [base[0] + half * uy, base[1] - half * ux]] };
}
