// Formulas, small matrices and sentences as elements.
// @ts-check
import { make } from "./signs.js";

/** Draw a formula. @param {any} math @returns {any} */
export function formula(math) {
  if (!Array.isArray(math)) return String(math);
  const [kind, ...rest] = math;
  if (kind === "row") return make("span", { class: "row" }, spaced(rest.map((part, i) => part[0] === "op" && /^[−+]$/.test(part[1]) && (i === 0 || (rest[i - 1][0] === "op" && !/[)\]]/.test(rest[i - 1][1]))) ? make("span", { class: "tight" }, part[1]) : formula(part))));
  if (kind === "op") return make("span", { class: /^[()[\]|,‖⟨⟩]$/.test(rest[0]) ? "tight" : "op" }, rest[0]);
  if (kind === "bar") return make("span", { class: "bar" }, formula(rest[0]));
  if (kind === "sup" || kind === "sub") return make("span", { class: kind === "sub" ? "pow low" : "pow" }, formula(rest[0]), rest[1][0] === "op" && rest[1][1] === "ᵀ" ? "ᵀ" : make(kind, {}, formula(rest[1])));
  if (kind === "frac") return make("span", { class: "gi-fraction" }, make("span", {}, formula(rest[0])), make("span", {}, formula(rest[1])));
  if (kind === "sqrt") return make("span", {}, "√", make("span", { class: "gi-root" }, formula(rest[0])));
  if (kind === "mat") return matrix(rest[0]);
  if (kind === "cases") return make("span", { class: "gi-cases" }, rest.map(cells => cells.map((/** @type {any} */ cell, /** @type {number} */ i) => make("span", { class: i ? "dim" : "" }, i ? "if " : "", formula(cell)))));
  return make("span", { class: kind }, String(rest[0]));
}
/** A function stands close to its bracket. @param {any[]} parts */
function spaced(parts) {
  parts.forEach((part, i) => { if (part.className === "fn" && parts[i + 1]?.className === "tight") part.className = "fn close"; });
  return parts;
}
/** @param {string[][]} rows */
export const matrix = rows => make("span", { class: "gi-matrix", style: `grid-template-columns:repeat(${rows[0]?.length || 1},auto)` }, rows.flat().map(word => make("span", {}, word)));
/** A sentence with its names in code type. @param {[string, string][]} parts */
export const sentence = parts => parts.map(([text, how]) => how ? make("code", {}, text) : text);

/** The same for the ear: a bare “a” would be heard as an article. @param {[string, string][]} parts */
export const spoken = parts => parts.map(([text, how]) => how === "name" ? `tensor ${text}` : text).join("");
