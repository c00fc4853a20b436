// Shapes and colours. Classes differ in both, and colour-blind readers can distinguish the colours (after Okabe and Ito).
export const SHAPES = ["triangle", "circle", "square", "diamond", "cross", "down", "star", "hexagon"];
export const GLYPHS = ["▲", "●", "■", "◆", "✚", "▼", "★", "⬢"];

export const THEMES = {
  light: {
    paper: "#fbfaf7",
    grid: "#e9e6de",
    axis: "#c9c4b8",
    ink: "#24211c",
    soft: "#6d675c",
    classes: ["#c8500a", "#0a6aa8", "#0b7f5c", "#a8488a", "#8a6400", "#2f86b8", "#7a4a2a", "#5a5a5a"],
    region: 0.13,
    line: "#24211c",
    ghost: "#8d877b",
    change: "#b00d57",
    halo: "#fbfaf7",
  },
  dark: {
    paper: "#15171a",
    grid: "#24272c",
    axis: "#444a52",
    ink: "#eceae4",
    soft: "#a5a198",
    classes: ["#ff9457", "#5ab4f0", "#4fd1a5", "#e79acb", "#e3c04f", "#9ad6f5", "#d3a284", "#bdbdbd"],
    region: 0.17,
    line: "#f3f1ea",
    ghost: "#7d7a73",
    change: "#ff7fb0",
    halo: "#15171a",
  },
};

// Corner points of a shape of radius r around (0, 0), or null for a circle.
export function corners(shape, r) {
  if (shape === "circle") return null;
  if (shape === "triangle") return ring(3, 1.25 * r, -90);
  if (shape === "down") return ring(3, 1.25 * r, 90);
  if (shape === "square") return ring(4, 1.2 * r, 45);
  if (shape === "diamond") return ring(4, 1.25 * r, 0);
  if (shape === "hexagon") return ring(6, 1.1 * r, 0);
  if (shape === "star") {
    return Array.from({ length: 10 }, (_, k) => polar(k % 2 ? 0.55 * r : 1.3 * r, -90 + 36 * k));
  }
  const a = 0.42 * r;
  const b = 1.2 * r;
  return [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a]];
}

function ring(n, r, turn) {
  return Array.from({ length: n }, (_, k) => polar(r, turn + (360 * k) / n));
}

function polar(r, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [r * Math.cos(angle), r * Math.sin(angle)];
}
