// Writes a scene as an SVG document.
import { arrowParts } from "./draw_canvas.js";
import { corners } from "./looks.js";

export function sceneToSvg(view, theme, shapes) {
  const body = shapes.map((shape) => WRITE[shape.kind](shape, theme)).join("\n");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height}" ` +
    `width="${view.width}" height="${view.height}">\n` +
    `<rect width="100%" height="100%" fill="${theme.paper}"/>\n${body}\n</svg>\n`
  );
}

const WRITE = {
  polygon: ({ points, fill, opacity }) => `<polygon points="${list(points)}" fill="${fill}" fill-opacity="${opacity}"/>`,
  line: ({ a, b, stroke, width, dash }) =>
    `<line x1="${n(a[0])}" y1="${n(a[1])}" x2="${n(b[0])}" y2="${n(b[1])}" stroke="${stroke}" stroke-width="${width}"` +
    `${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`,
  arrow({ a, b, stroke, width }) {
    const { shaft, head } = arrowParts(a, b, width);
    return `${WRITE.line({ a, b: shaft, stroke, width })}<polygon points="${list(head)}" fill="${stroke}"/>`;
  },
  marker({ at, shape, r, fill, stroke, width }) {
    const points = corners(shape, r);
    const look = `fill="${fill}" stroke="${stroke}" stroke-width="${width}"`;
    return points
      ? `<polygon points="${list(points.map(([x, y]) => [at[0] + x, at[1] + y]))}" ${look}/>`
      : `<circle cx="${n(at[0])}" cy="${n(at[1])}" r="${r}" ${look}/>`;
  },
  ring: ({ at, r, stroke, width }) =>
    `<circle cx="${n(at[0])}" cy="${n(at[1])}" r="${r}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`,
  text: ({ at, text, fill, anchor, italic }, theme) =>
    `<text x="${n(at[0])}" y="${n(at[1])}" fill="${fill}" text-anchor="${anchor}" paint-order="stroke" ` +
    `stroke="${theme.halo}" stroke-width="4" stroke-linejoin="round" ` +
    `${italic ? 'font-family="Georgia, serif" font-style="italic" font-size="14"' : 'font-family="system-ui, sans-serif" font-size="12"'}` +
    `>${escaped(text)}</text>`,
};

function n(value) {
  return Number(value.toFixed(2));
}

function list(points) {
  return points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ");
}

export function escaped(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
