// Elements and the signs on them: icons, a glyph for each kind of step, the outline that tells a card's kind.
// @ts-check

export const MONO = 6.65;                                 // width of a character at 11 px

/** Make an element; text is always text, never markup. @param {string} tag @param {Record<string, any>} [attrs] @param {...any} children */
export function make(tag, attrs = {}, ...children) {
  const svg = SVG_TAGS.has(tag), node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, String(value));
  }
  // Notebook 7 looks at keys before the widget can; only this mark on the focused element itself keeps it from acting.
  if ("tabindex" in attrs || FOCUSED.has(tag)) node.setAttribute("data-lm-suppress-shortcuts", "true");
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return node;
}
const FOCUSED = new Set(["button", "input", "summary"]);
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "text", "circle", "line", "title"]);
/** @param {string} d @param {number} [size] */
export const icon = (d, size = 16) => make("svg", { width: size, height: size, viewBox: "0 0 16 16", fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "square", "aria-hidden": "true" },
  d.split("|").map(part => part.startsWith("*") ? make("path", { d: part.slice(1), fill: "currentColor", stroke: "none" }) : make("path", { d: part })));
export const ICONS = {
  find: "M11.2 7a4.2 4.2 0 1 1-8.400 0a4.200 4.200 0 1 1 8.400 0|M10.500 10.500 14 14", minus: "M3.500 8h9", plus: "M3.500 8h9M8 3.500v9", fit: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10",
  gradients: "M8 2.500v10M4.500 9 8 12.500 11.500 9", memory: "M2.500 4.500h11v7h-11zM6.200 4.500v7M9.800 4.500v7", code: "M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500",
  start: "M3.500 3.500v9|*M12.500 3.500v9L6 8z", end: "M12.500 3.500v9|*M3.500 3.500v9L10 8z", back: "M10.500 3.500 6 8l4.500 4.500", step: "M5.500 3.500 10 8l-4.500 4.500", play: "*M5.500 3.500v9L12.500 8z", pause: "*M4 3.500h3v9H4zM9 3.500h3v9H9z",
  trouble: "M5.200 2h5.600L14 5.200v5.600L10.800 14H5.200L2 10.800V5.200zM8 4.800v3.700M8 10.900v.1", fold: "M6 4.500 9.500 8 6 11.500", fresh: "M3 8.500 6.500 12 13 4.500", stale: "M4 4l8 8M12 4l-8 8", changed: "M4 4l8 8M12 4l-8 8", freed: "M8 3.500a4.500 4.500 0 1 0 .1 0", unknown: "M3.500 8h9", help: "M5.500 6a2.500 2.500 0 1 1 3.500 2.200c-.7.4-1 .8-1 1.600M8 12.400v.1",
};
// one glyph a kind of step: its shape says it without colour
export const GLYPHS = {
  ready: "*M5 3.500v9L12.500 8z", seed: "*M8 2.500 13.500 8 8 13.500 2.500 8z", enter: "*M4 3v10l8-5z", exit: "M4.750 4v8l6.500-4z", route: "M8 2.500v9M4.500 8.500 8 12.500l3.500-4", accumulate: "M8 3v10M3 8h10", hook: "M5 2.500v7a3.200 3.200 0 0 0 6.400 0V8M9.200 9.500l2.200-2 2.200 2", release: "M12.200 8a4.200 4.200 0 1 1-8.400 0a4.200 4.200 0 1 1 8.400 0", finish: "*M3.500 3.500h9v9h-9z", error: "M3.500 3.500l9 9M12.500 3.500l-9 9",
};
/** @param {string} text @param {number} room */
export const clip = (text, room) => text.length > room ? text.slice(0, Math.max(1, room - 1)) + "…" : text;

/** The outline of a card: its shape tells its kind. @param {string} kind @param {number} w @param {number} h */
export function outline(kind, w, h) {
  if (kind === "accumulator") return `M0 0H${w}V${h - 10}a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10z`;
  if (kind === "custom") return `M7 0H${w - 7}L${w} 7V${h - 7}L${w - 7} ${h}H7L0 ${h - 7}V7z`;
  if (kind === "inplace") return `M0 0H${w - 12}L${w} 12V${h}H0zM${w - 12} 0V12H${w}`;
  return `M3 0H${w - 3}a3 3 0 0 1 3 3V${h - 3}a3 3 0 0 1-3 3H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`;
}
/** A polyline with round corners, ending short of the card for the arrow head. @param {[number, number][]} points */
export function way(points) {
  const ends = points.map(([x, y], i) => i === points.length - 1 ? [x, y - 7] : [x, y]);
  let d = `M${ends[0][0]} ${ends[0][1]}`;
  for (let i = 1; i < ends.length; i++) {
    const [x, y] = ends[i], next = ends[i + 1], [px, py] = ends[i - 1];
    if (!next) { d += `L${x} ${y}`; break; }
    const before = Math.abs(x - px) + Math.abs(y - py), after = Math.abs(next[0] - x) + Math.abs(next[1] - y), r = Math.min(8, before / 2, after / 2);
    d += `L${x - Math.sign(x - px) * r} ${y - Math.sign(y - py) * r}Q${x} ${y} ${x + Math.sign(next[0] - x) * r} ${y + Math.sign(next[1] - y) * r}`;
  }
  return d;
}
