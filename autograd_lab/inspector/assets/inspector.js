// The graph inspector in the browser: draws the view model that Python computed, steps through it, decides nothing.
// @ts-check
/** @typedef {{get(name: string): any, set(name: string, value: any): void, save_changes(): void, on(event: string, f: () => void): void, off(event: string, f: () => void): void}} Model */
/** @typedef {{id: string, nodes: string[], kind: string, name: string, unnamed: boolean, op: string, shape: string, dtype: string, foot: any, x: number, y: number, w: number, h: number, aria: string, title: string, find: string, refs?: number, mark?: string, stack?: any}} Card */
/** @typedef {{kind: string, node: string|null, edge: string|null, bad: boolean, say: [string, string][], spoken: string, set: [string, string, any][]}} Step */

const MONO = 6.65;                                        // width of a character at 11 px
const BAND = 600;                                         // height of a strip of the canvas that is drawn when it is first seen
const EMPTY = { leaves: [], steps: [], spans: [], mode: "" };

/** Make an element; text is always text, never markup. @param {string} tag @param {Record<string, any>} [attrs] @param {...any} children */
function make(tag, attrs = {}, ...children) {
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
const icon = (d, size = 16) => make("svg", { width: size, height: size, viewBox: "0 0 16 16", fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "square", "aria-hidden": "true" },
  d.split("|").map(part => part.startsWith("*") ? make("path", { d: part.slice(1), fill: "currentColor", stroke: "none" }) : make("path", { d: part })));
const ICONS = {
  find: "M11.2 7a4.2 4.2 0 1 1-8.400 0a4.200 4.200 0 1 1 8.400 0|M10.500 10.500 14 14", minus: "M3.500 8h9", plus: "M3.500 8h9M8 3.500v9", fit: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10",
  gradients: "M8 2.500v10M4.500 9 8 12.500 11.500 9", memory: "M2.500 4.500h11v7h-11zM6.200 4.500v7M9.800 4.500v7", code: "M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500",
  start: "M3.500 3.500v9|*M12.500 3.500v9L6 8z", end: "M12.500 3.500v9|*M3.500 3.500v9L10 8z", back: "M10.500 3.500 6 8l4.500 4.500", step: "M5.500 3.500 10 8l-4.500 4.500", play: "*M5.500 3.500v9L12.500 8z", pause: "*M4 3.500h3v9H4zM9 3.500h3v9H9z",
  trouble: "M5.200 2h5.600L14 5.200v5.600L10.800 14H5.200L2 10.800V5.200zM8 4.800v3.700M8 10.900v.1", fold: "M6 4.500 9.500 8 6 11.500", fresh: "M3 8.500 6.500 12 13 4.500", stale: "M4 4l8 8M12 4l-8 8", changed: "M4 4l8 8M12 4l-8 8", freed: "M8 3.500a4.500 4.500 0 1 0 .1 0", unknown: "M3.500 8h9", help: "M5.500 6a2.500 2.500 0 1 1 3.500 2.200c-.7.4-1 .8-1 1.600M8 12.400v.1",
};
// one glyph a kind of step: its shape says it without colour
const GLYPHS = {
  ready: "*M5 3.500v9L12.500 8z", seed: "*M8 2.500 13.500 8 8 13.500 2.500 8z", enter: "*M4 3v10l8-5z", exit: "M4.750 4v8l6.500-4z", route: "M8 2.500v9M4.500 8.500 8 12.500l3.500-4", accumulate: "M8 3v10M3 8h10", hook: "M5 2.500v7a3.200 3.200 0 0 0 6.400 0V8M9.200 9.500l2.200-2 2.200 2", release: "M12.200 8a4.200 4.200 0 1 1-8.400 0a4.200 4.200 0 1 1 8.400 0", finish: "*M3.500 3.500h9v9h-9z", error: "M3.500 3.500l9 9M12.500 3.500l-9 9",
};

/** Lay the changes of the first `step` steps over one another. @param {any} film @param {number} step */
export function stateAt(film, step) {
  /** @type {Record<string, Record<string, any>>} */
  const state = { edges: {}, cards: {}, leaves: {}, freed: {} };
  lay(state, film, 0, step);
  return state;
}
/** @param {Record<string, Record<string, any>>} state @param {any} film @param {number} from @param {number} to */
function lay(state, film, from, to) {
  for (let i = from; i <= to && i < film.steps.length; i++) for (const [group, id, fields] of film.steps[i].set) state[group][id] = { ...state[group][id], ...fields };
}
/** Find the step to which “run to a node” goes: the next one at which it acts, else its first. @param {any} film @param {string[]} nodes @param {number} from */
export function runTo(film, nodes, from) {
  const acts = film.steps.map((/** @type {Step} */ s, /** @type {number} */ i) => s.node !== null && nodes.includes(s.node) ? i : -1).filter((/** @type {number} */ i) => i >= 0);
  return acts.find((/** @type {number} */ i) => i > from) ?? acts[0] ?? from;
}
/** The first step after `from` at which a node with a breakpoint begins to act. @param {any} film @param {string[]} breaks @param {number} step */
export function isBreak(film, breaks, step) {
  const at = film.steps[step]?.node, before = film.steps[step - 1]?.node;
  return at !== null && at !== before && breaks.includes(at);
}
/** @param {Card[]} cards @param {string} query */
export const matches = (cards, query) => query.trim() ? cards.filter(card => card.find.includes(query.trim().toLowerCase())).map(card => card.id) : [];
/** @param {string} text @param {number} room */
const clip = (text, room) => text.length > room ? text.slice(0, Math.max(1, room - 1)) + "…" : text;

/** The outline of a card: its shape tells its kind. @param {string} kind @param {number} w @param {number} h */
function outline(kind, w, h) {
  if (kind === "accumulator") return `M0 0H${w}V${h - 10}a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10z`;
  if (kind === "custom") return `M7 0H${w - 7}L${w} 7V${h - 7}L${w - 7} ${h}H7L0 ${h - 7}V7z`;
  if (kind === "inplace") return `M0 0H${w - 12}L${w} 12V${h}H0zM${w - 12} 0V12H${w}`;
  return `M3 0H${w - 3}a3 3 0 0 1 3 3V${h - 3}a3 3 0 0 1-3 3H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`;
}
/** A polyline with round corners, ending short of the card for the arrow head. @param {[number, number][]} points */
function way(points) {
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
/** Draw a formula. @param {any} math @returns {any} */
function formula(math) {
  if (!Array.isArray(math)) return String(math);
  const [kind, ...rest] = math;
  if (kind === "row") return make("span", { class: "row" }, rest.map((part, i) => part[0] === "op" && /^[−+]$/.test(part[1]) && (i === 0 || (rest[i - 1][0] === "op" && !/[)\]]/.test(rest[i - 1][1]))) ? make("span", { class: "tight" }, part[1]) : formula(part)));
  if (kind === "op") return make("span", { class: /^[()[\]|,‖⟨⟩]$/.test(rest[0]) ? "tight" : "op" }, rest[0]);
  if (kind === "bar") return make("span", { class: "bar" }, formula(rest[0]));
  if (kind === "sup" || kind === "sub") return make("span", { class: "pow" }, formula(rest[0]), rest[1][0] === "op" && rest[1][1] === "ᵀ" ? "ᵀ" : make(kind, {}, formula(rest[1])));
  if (kind === "frac") return make("span", { class: "gi-fraction" }, make("span", {}, formula(rest[0])), make("span", {}, formula(rest[1])));
  if (kind === "sqrt") return make("span", {}, "√", make("span", { class: "gi-root" }, formula(rest[0])));
  if (kind === "mat") return matrix(rest[0]);
  if (kind === "cases") return make("span", { class: "gi-cases" }, rest.map(cells => cells.map((/** @type {any} */ cell, /** @type {number} */ i) => make("span", { class: i ? "dim" : "" }, i ? "if " : "", formula(cell)))));
  return make("span", { class: kind }, String(rest[0]));
}
/** @param {string[][]} rows */
const matrix = rows => make("span", { class: "gi-matrix", style: `grid-template-columns:repeat(${rows[0]?.length || 1},auto)` }, rows.flat().map(word => make("span", {}, word)));
/** A sentence with its names in code type. @param {[string, string][]} parts */
const sentence = parts => parts.map(([text, how]) => how ? make("code", {}, text) : text);

/** The same for the ear: a bare “a” would be heard as an article. @param {[string, string][]} parts */
export const spoken = parts => parts.map(([text, how]) => how === "name" ? `tensor ${text}` : text).join("");

class Inspector {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.shown = { gradients: true, memory: false, code: true };
    this.open = new Map();                                // sections that the reader opened or closed by hand
    this.root = make("section", { class: "gi", role: "region", tabindex: -1 });
    el.append(this.root);
    this.root.addEventListener("keydown", event => this.key(event));
    this.onScene = () => this.build();
    this.onStep = () => this.update(true);
    this.onMore = () => this.update(false);
    this.parsed = new Map();
    this.onQuery = () => { if (this.input.value !== this.model.get("query")) this.input.value = this.model.get("query"); this.find(); };
    for (const [event, call] of this.events()) model.on(event, call);
    this.build();
    this.watch = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => this.resized());
    this.watch?.observe(this.root);
  }
  events() { return [["change:scene", this.onScene], ["change:step", this.onStep], ["change:selected", this.onStep], ["change:breaks", this.onStep], ["change:query", this.onQuery], ["change:picture", this.onScene], ["change:more", this.onMore], ["change:asked", this.onMore], ["change:movie", this.onMore]]; }
  close() {
    this.stop();
    this.watch?.disconnect();
    for (const [event, call] of this.events()) this.model.off(event, call);
  }
  /** A part of the view model; notebooks send it as text. @param {string} name */
  read(name) {
    const raw = this.model.get(name), known = this.parsed.get(name);
    if (typeof raw !== "string") return raw;
    if (known?.raw === raw) return known.value;
    const value = JSON.parse(raw);
    this.parsed.set(name, { raw, value });
    return value;
  }
  /** The film; until all of it has come, its first step. */
  get film() { const movie = this.scene.film && this.read("movie"); return movie && movie.steps ? movie : this.scene.film || EMPTY; }
  get last() { return Math.max(0, this.film.last ?? this.film.steps.length - 1); }
  /** @param {string} id */
  panelOf(id) { return this.scene.panels[id] || this.read("more")?.[id] || this.read("asked")?.[id]; }
  get step() { return Math.min(this.last, Math.max(0, this.model.get("step") || 0)); }
  get current() { return /** @type {Step|undefined} */ (this.film.steps[this.step]); }
  get selected() { const id = this.model.get("selected"); return this.home.has(id) || this.deck.has(id) ? id : this.scene.roots[0] || ""; }
  /** The card on which the selected node stands. */
  get picked() { const id = this.selected; return this.home.get(id) || id; }
  /** Tell Python what the reader did; a dead kernel must not stop the film. @param {Record<string, any>} values */
  save(values) {
    for (const [name, value] of Object.entries(values)) this.model.set(name, value);
    try { this.model.save_changes(); } catch (problem) { console.info("autograd_lab: no kernel to tell", problem); }
  }

  build() {
    this.stop();
    this.scene = this.read("scene");
    const sent = this.read("picture");
    this.laid = undefined;
    this.found = [];
    this.picture = sent && sent.cards ? sent : this.scene.pictures[this.opened && this.scene.pictures.open ? "open" : this.scene.picture];
    this.root.setAttribute("aria-label", `Graph inspector of ${this.scene.title}`);
    this.live = make("div", { class: "gi-unseen", "aria-live": "polite" });
    this.panelBody = make("div", { class: "gi-scroll", tabindex: 0, role: "group", "aria-label": "Selected node" });
    const grid = make("div", { class: "gi-grid" }, this.makeBar(), this.makeFinding(), this.makeCanvas(), this.scene.film ? this.makeTime() : null, make("aside", { class: "gi-panel" }, this.panelBody));
    const inside = this.root.contains(document.activeElement);
    this.root.replaceChildren(grid, this.live);
    if (inside) this.root.focus({ preventScroll: true });
    this.fit();
    this.update(false);
    this.root.setAttribute("data-ready", "");
  }
  makeBar() {
    const button = (name, label, act, size = 16) => make("button", { class: "gi-button", type: "button", title: label, "aria-label": label, onclick: act }, icon(ICONS[name], size));
    const toggle = (name, label, key) => make("button", { class: "gi-toggle", type: "button", title: `${label} (${key})`, "aria-label": label, "aria-pressed": this.shown[name], onclick: event => this.toggle(name), "data-name": name }, icon(ICONS[name]), make("span", {}, label));
    this.input = /** @type {HTMLInputElement} */ (make("input", { type: "text", placeholder: "Find a name, op or line", "aria-label": "Find a name, op or line", oninput: () => { this.save({ query: this.input.value }); this.find(); } }));
    this.input.value = this.model.get("query") || "";
    this.hits = make("output", { "aria-live": "polite" });
    this.zoomText = make("span", { class: "gi-zoom mono" }, "100%");
    return make("header", { class: "gi-bar" },
      make("div", { class: "gi-title" }, make("b", { title: this.scene.title }, this.scene.title), make("span", {}, this.scene.subtitle)),
      make("label", { class: "gi-search" }, icon(ICONS.find, 14), this.input, this.hits, make("kbd", { "aria-hidden": "true" }, "/")),
      make("div", { class: "gi-group", role: "group", "aria-label": "Zoom" }, button("minus", "Zoom out", () => this.zoom(1 / 1.25)), this.zoomText, button("plus", "Zoom in", () => this.zoom(1.25)), button("fit", "Fit to width", () => this.fit())),
      make("div", { class: "gi-group", role: "group", "aria-label": "Show" }, toggle("gradients", "Gradients", "g"), toggle("memory", "Memory", "m"), toggle("code", "Code", "c")),
      button("help", "Keys and signs (?)", () => this.help()));
  }
  makeFinding() {
    const { findings } = this.scene, at = (this.foundAt || 0) % findings.length, finding = findings[at];
    if (!finding) return null;
    const next = () => {
      this.foundAt = at + 1;
      const ribbon = /** @type {HTMLElement} */ (this.makeFinding());
      this.root.querySelector(".gi-find")?.replaceWith(ribbon);
      /** @type {HTMLElement} */ (ribbon.querySelector(".gi-next")).focus();
      this.live.textContent = ribbon.querySelector("p")?.textContent || "";
    };
    return make("aside", { class: "gi-find", role: "note", "aria-label": "Finding" }, icon(ICONS.trouble),
      make("p", {}, make("strong", {}, finding.head), " ", sentence(finding.what), make("br"), make("strong", {}, "Fix"), ` ${finding.fix}`, make("code", { class: "gi-fix" }, finding.fix_code), `${finding.fix_more && "; "}${finding.fix_more}. Chapter ${finding.chapter} tells why.`),
      make("div", { class: "gi-act" }, findings.length > 1 ? make("button", { type: "button", class: "gi-next", title: "Next finding", onclick: next }, `${at + 1} of ${findings.length}, next`) : null, make("button", { type: "button", onclick: () => this.select(finding.node, true) }, "Show node")));
  }

  // ---- canvas ------------------------------------------------------------------------------------
  makeCanvas() {
    this.cards = new Map(); this.wires = new Map();       // what has been drawn, with its elements
    this.deck = new Map(this.picture.cards.map((/** @type {Card} */ card) => [card.id, card]));
    this.layers = { wires: make("g"), cards: make("g"), references: make("g"), chips: make("g") };
    this.plane = make("g", {}, Object.values(this.layers));
    const svg = make("svg", { role: "list", "aria-label": `Graph of ${this.scene.title}, ${this.scene.subtitle}` }, this.plane);
    this.home = new Map(this.picture.cards.flatMap((/** @type {Card} */ card) => card.nodes.map(node => [node, card.id])));
    /** @type {Map<number, (() => void)[]>} */
    this.bands = new Map();
    const note = (/** @type {number} */ top, /** @type {number} */ low, /** @type {() => void} */ draw) => { for (let band = Math.floor(top / BAND); band <= Math.floor(low / BAND); band++) { if (!this.bands.has(band)) this.bands.set(band, []); this.bands.get(band)?.push(draw); } };
    for (const wire of this.picture.wires) note(wire.points[0][1], wire.points[wire.points.length - 1][1], () => this.wires.has(wire.id) || this.layers.wires.append(this.makeWire(wire)));
    for (const card of this.picture.cards) note(card.y, card.y + card.h, () => this.cards.has(card.id) || this.layers.cards.append(this.makeCard(card)));
    for (const ref of this.picture.references) note(ref.y, ref.y, () => this.layers.references.append(this.makeReference(ref)));
    const at = (/** @type {Event} */ event) => this.cards.get(/** @type {Element} */ (event.target).closest?.(".gi-card")?.getAttribute("data-id"));
    this.plane.addEventListener("click", (/** @type {Event} */ event) => { const card = at(event)?.card; if (card) this.select(card.stack ? card.id : card.nodes[0], false); });
    this.plane.addEventListener("dblclick", (/** @type {Event} */ event) => { const card = at(event)?.card; if (card) card.stack ? this.expand(card) : this.go(runTo(this.film, card.nodes, this.step)); });
    for (const [event, part] of [["pointerover", "title"], ["focusin", "ring"]]) this.plane.addEventListener(event, (/** @type {Event} */ e) => { const parts = at(e); if (parts) this.wear(parts, part, true); });
    this.sight = make("div", { class: "gi-sight" }, svg);
    this.sight.style.height = `${Math.round(Math.min(470, Math.max(this.scene.film ? 300 : 340, this.picture.height + 8)))}px`;
    this.pan();
    this.mapWide = 0;
    if (this.picture.height > 640 || this.picture.width > 1400) this.makeOverview();
    const kinds = new Set(this.picture.cards.map((/** @type {Card} */ card) => card.kind)), names = { operation: "operation", accumulator: "accumulator (leaf)", view: "view", inplace: "in-place", custom: "own Function" };
    const legend = Object.entries(names).filter(([kind]) => kinds.has(kind)).map(([kind, text]) => make("span", { class: "gi-key-item" }, make("svg", { width: 20, height: 12, viewBox: "-3 -3 66 38", "aria-hidden": "true" }, make("g", { class: `gi-card ${kind}` }, make("path", { class: "gi-box", d: outline(kind, 60, 32), style: "stroke-width:4" }))), text));
    const right = this.scene.note || (this.scene.film && this.scene.film.mode === "recorded" ? (this.scene.findings.length ? `${this.scene.findings.length} finding${this.scene.findings.length > 1 ? "s" : ""}` : "no findings") : `the graph keeps ${this.scene.kept}`);
    this.statusRight = make("span", {}, right);
    const folded = this.picture.cards.some((/** @type {Card} */ card) => card.stack), opened = this.opened || (this.model.get("expanded") || []).length;
    if (folded) this.statusRight.textContent = `${this.picture.cards.length} cards for ${this.scene.subtitle.split(",")[0]}`;
    return make("div", { class: "gi-canvas" }, this.sight, make("div", { class: "gi-status" }, legend, folded && this.scene.openable ? make("button", { class: "gi-more gi-small", type: "button", onclick: () => this.openAll() }, "Open all") : null, opened ? make("button", { class: "gi-more gi-small", type: "button", onclick: () => this.foldAll() }, "Fold all") : null, this.statusRight));
  }
  /** @param {Card} card */
  makeCard(card) {
    const room = card.w - 24, shape = card.shape, second = card.dtype, stack = card.stack ? [8, 4].map(off => make("path", { class: "gi-box", d: outline("operation", card.w, card.h), transform: `translate(${off} ${off})` })) : [];
    const plus = card.stack && card.foot ? [make("rect", { class: "gi-square", x: 12.5, y: card.h - 18.5, width: 12, height: 12 }), make("path", { d: `M15.500 ${card.h - 12.5}h6M18.500 ${card.h - 15.5}v6`, stroke: "currentColor", "stroke-width": 1.5 })] : [];
    const head = card.h - (card.foot ? 24 : 0), edge = card.kind === "accumulator" ? 10 : 3;
    const name = clip(card.name, Math.floor((room - shape.length * MONO - 8) / (card.unnamed ? 7.9 : 8.45)));
    const box = make("path", { class: "gi-box", d: outline(card.kind, card.w, card.h) });
    const node = make("g", { class: `gi-card ${card.kind}`, transform: `translate(${card.x} ${card.y})`, role: "listitem", tabindex: -1, "aria-label": card.aria, "data-id": card.id, "data-op": card.op },
      card.mark ? make("text", { class: "gi-marked", x: 2, y: -5 }, card.mark) : null, stack, box,
      card.foot ? make("path", { class: "gi-foot", d: `M1.500 ${head}H${card.w - 1.5}V${card.h - edge}q0 ${edge - 1.5} ${1.5 - edge} ${edge - 1.5}H${edge}q${1.5 - edge} 0 ${1.5 - edge} ${1.5 - edge}z` }) : null,
      card.foot ? make("path", { class: "gi-line", d: `M1.500 ${head}H${card.w - 1.5}` }) : null,
      make("text", { class: `gi-name${card.unnamed ? " unnamed" : ""}`, x: 12, y: 18 }, name), shape ? make("text", { class: "gi-shape", x: card.w - (card.kind === "inplace" ? 18 : 12), y: 18 }, shape) : null,
      make("text", { class: "gi-op", x: 12, y: 34 }, clip(card.op, Math.floor((room - second.length * MONO - 6) / 6.1))), second ? make("text", { class: "gi-dtype", x: card.w - 12, y: 34 }, second) : null,
      card.stack?.bars.length ? this.makeBars(card) : null);
    /** @type {any} */
    const parts = { card, node, box, key: "", name };
    if (card.foot) {
      parts.left = make("text", { class: "gi-left", x: 12, y: head + 16 }); parts.right = make("text", { class: "gi-right", x: card.w - 12, y: head + 16 });
      node.append(parts.left, parts.right, ...plus);
    }
    if (plus.length) for (const part of [...plus, parts.left]) part.addEventListener("click", (/** @type {Event} */ event) => { event.stopPropagation(); this.expand(card); });
    this.cards.set(card.id, parts);
    return node;
  }
  /** What few cards wear is made when a card first wears it. @param {any} parts @param {string} part @param {boolean} worn */
  wear(parts, part, worn) {
    if (!worn && !parts[part]) return undefined;
    const { card, node, box, name } = parts;
    parts[part] ||= {
      pointer: () => make("g", { class: "gi-pointer", transform: `translate(-19 ${Math.min(card.h, 42) / 2 - 7.5})` }),
      broken: () => make("circle", { class: "gi-break", r: 5 }),
      squares: () => make("g"),
      ring: () => make("rect", { class: "gi-ring", x: -4, y: -4, width: card.w + 8, height: card.h + 8, rx: 4 }),
      hit: () => make("rect", { class: "gi-hit", x: 9, y: 5, width: Math.min(card.w - 24, name.length * 8.45) + 6, height: 17 }),
      title: () => make("title", {}, card.title),
    }[part]();
    if (!parts[part].parentNode) if (part === "hit") node.querySelector(".gi-name").before(parts.hit); else if (part === "title") node.prepend(parts.title); else node.append(parts[part]);
    return parts[part];
  }
  /** @param {Card} card */
  makeBars(card) {
    const bars = card.stack.bars, wide = (card.w - 24) / bars.length;
    return make("g", { class: "gi-bars" }, make("line", { x1: 12, x2: card.w - 12, y1: 86.5, y2: 86.5, stroke: "var(--rule)" }), bars.map((/** @type {number} */ size, /** @type {number} */ i) => make("rect", { x: 12 + wide * i, y: 86 - 40 * size, width: Math.max(1, wide - 3), height: 40 * size })));
  }
  /** @param {any} wire */
  makeWire(wire) {
    const [ex, ey] = wire.points[wire.points.length - 1], [sx, sy] = wire.points[0];
    const node = make("g", { class: "gi-wire", "data-id": wire.id }, make("path", { d: way(wire.points) }), make("path", { class: "gi-head", d: `M${ex - 4.5} ${ey - 8}h9L${ex} ${ey - 1}z` }));
    this.wires.set(wire.id, { wire, node, start: [sx, sy], key: "|" });
    return node;
  }
  /** @param {any} ref */
  makeReference(ref) {
    const name = clip(ref.name, 7), times = ref.count > 1 ? `×${ref.count}` : "";
    const go = () => this.select(ref.target, true);
    return make("g", { class: "gi-reference", transform: `translate(${ref.x} ${ref.y})`, role: "link", tabindex: -1, "aria-label": `Reference to ${ref.name}${times ? `, ${ref.count} times` : ""}`, "data-target": ref.target, onclick: go, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === "Enter") go(); } },
      make("title", {}, ref.name), make("rect", { width: ref.w, height: 20, rx: 10 }), make("path", { d: "M10 13.500 17 6.500M12 6.500h5v5" }), make("text", { class: "gi-of", x: 24, y: 14 }, name), make("text", { x: 24 + name.length * 7 + 5, y: 14 }, times));
  }
  makeOverview() {
    const { width, height } = this.picture, k = Math.min(120 / width, 120 / height), size = [Math.max(24, width * k), Math.max(24, height * k)];
    this.mapWide = size[0];
    this.windowBox = make("rect", { class: "gi-window" });
    const jump = (/** @type {PointerEvent} */ event) => {
      const box = map.getBoundingClientRect();
      this.center((event.clientX - box.left) / k, (event.clientY - box.top) / k);
    };
    const map = make("svg", { class: "gi-overview", width: size[0], height: size[1], viewBox: `0 0 ${size[0] / k} ${size[1] / k}`, role: "img", "aria-label": "Overview of the whole graph", onpointerdown: (/** @type {PointerEvent} */ e) => { e.stopPropagation(); jump(e); }, onpointermove: (/** @type {PointerEvent} */ e) => { if (e.buttons) jump(e); } },
      make("path", { d: this.picture.cards.map((/** @type {Card} */ c) => `M${c.x} ${c.y}h${c.w}v${c.h}h${-c.w}z`).join(""), class: "gi-land" }), this.windowBox);
    this.sight.append(map);
  }
  pan() {
    /** @type {{x: number, y: number, tx: number, ty: number, moved: boolean}|null} */
    let drag = null;
    this.sight.addEventListener("pointerdown", event => { if (event.button === 0) drag = { x: event.clientX, y: event.clientY, tx: this.tx, ty: this.ty, moved: false }; });
    this.sight.addEventListener("pointermove", event => {
      if (!drag) return;
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      if (!drag.moved) { drag.moved = true; this.sight.classList.add("gi-drag"); this.sight.setPointerCapture?.(event.pointerId); }
      this.place(this.k, drag.tx + dx, drag.ty + dy);
    });
    for (const name of ["pointerup", "pointercancel"]) this.sight.addEventListener(name, () => { drag = null; this.sight.classList.remove("gi-drag"); });
    this.sight.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;       // a plain wheel scrolls the notebook
      event.preventDefault();
      const box = this.sight.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }
  /** @param {number} k @param {number} tx @param {number} ty @param {boolean} [fitted] */
  place(k, tx, ty, fitted = false) {
    this.k = k; this.tx = tx; this.ty = ty; this.fitted = fitted;
    this.plane.setAttribute("transform", `translate(${tx} ${ty}) scale(${k})`);
    this.zoomText.textContent = `${Math.round(k * 100)}%`;
    const { clientWidth: w, clientHeight: h } = this.sight;
    this.furnish();
    if (this.windowBox) for (const [name, value] of Object.entries({ x: -tx / k, y: -ty / k, width: w / k, height: h / k })) this.windowBox.setAttribute(name, String(Math.round(value)));
  }
  /** Draw the strips of the canvas that are in sight and have not been drawn yet. */
  furnish() {
    const high = typeof ResizeObserver === "undefined" ? Infinity : this.sight.clientHeight || parseFloat(this.sight.style.height);
    const from = Math.floor((-this.ty / this.k - 150) / BAND), to = Math.floor(((high - this.ty) / this.k + 150) / BAND), seen = [...this.bands.keys()].filter(band => band >= from && band <= to);
    if (!seen.length) return;
    for (const band of seen) { for (const draw of this.bands.get(band) || []) draw(); this.bands.delete(band); }
    if (!this.laid) return;
    this.drawWires(this.laid.state, this.current);
    this.drawCards(this.laid.state, this.current);
    this.mark();
  }
  fit() {
    const map = this.mapWide && this.mapWide < 80 ? this.mapWide + 16 : 0, w = (this.sight.clientWidth || 600) - map, h = this.sight.clientHeight || 400, k = Math.min(1, Math.max(.3, w / this.picture.width));
    this.place(k, (w - this.picture.width * k) / 2, this.picture.height * k < h ? (h - this.picture.height * k) / 2 : 0, true);
    if (this.picture.width * k > w || this.picture.height * k > h) this.reveal(this.home.get(this.current?.node || this.selected), true);
  }
  /** @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x = this.sight.clientWidth / 2, y = this.sight.clientHeight / 2) {
    const k = Math.min(3, Math.max(.05, this.k * factor)), { clientWidth: w, clientHeight: h } = this.sight;
    // as far as possible the place under the pointer stays; an empty canvas helps nobody
    const keep = (/** @type {number} */ t, /** @type {number} */ size, /** @type {number} */ room) => size <= room ? (room - size) / 2 : Math.min(24, Math.max(room - size - 24, t));
    this.place(k, keep(x - (x - this.tx) * k / this.k, this.picture.width * k, w), keep(y - (y - this.ty) * k / this.k, this.picture.height * k, h));
  }
  /** @param {number} x @param {number} y */
  center(x, y) { this.place(this.k, this.sight.clientWidth / 2 - x * this.k, this.sight.clientHeight / 2 - y * this.k); }
  /** Move as little as needed to see a card. @param {string} id @param {boolean} [fitted] */
  reveal(id, fitted = this.fitted) {
    const card = this.deck.get(id), w = this.sight.clientWidth, h = this.sight.clientHeight;
    if (!card || !w) return;
    const k = this.k, pad = 24, into = (/** @type {number} */ t, /** @type {number} */ low, /** @type {number} */ size, /** @type {number} */ room) => size * k + 2 * pad > room ? (room - size * k) / 2 - low * k : Math.min(Math.max(t, pad - low * k), room - pad - (low + size) * k);
    const seen = card.x * k + this.tx >= 0 && (card.x + card.w) * k + this.tx <= w && card.y * k + this.ty >= 0 && (card.y + card.h) * k + this.ty <= h;
    if (!seen) this.place(k, into(this.tx, card.x, card.w, w), into(this.ty, card.y, card.h, h), fitted);
  }
  resized() {
    if (this.fitted) this.fit();
    if (this.scene.film) this.drawTrack();
  }

  // ---- timeline ----------------------------------------------------------------------------------
  makeTime() {
    const button = (name, label, act, extra = "") => make("button", { class: `gi-button ${extra}`, type: "button", title: label, "aria-label": label, onclick: act }, icon(ICONS[name]));
    this.buttons = { start: button("start", "To the start", () => this.go(0)), back: button("back", "Step back", () => this.go(this.step - 1)), play: button("play", "Play", () => this.playing ? this.stop() : this.play(), "gi-play"), step: button("step", "Step", () => this.go(this.step + 1)), end: button("end", "To the end", () => this.go(this.last)) };
    this.scrub = make("div", { class: "gi-scrub", role: "slider", tabindex: 0, "aria-label": "Step", "aria-valuemin": 0, "aria-valuemax": this.last });
    const seek = (/** @type {PointerEvent} */ event) => { const box = this.scrub.getBoundingClientRect(); this.go(Math.round((event.clientX - box.left) / Math.max(1, box.width) * this.last)); };
    this.scrub.addEventListener("pointerdown", event => { this.scrub.setPointerCapture?.(event.pointerId); seek(event); });
    this.scrub.addEventListener("pointermove", event => { if (event.buttons & 1) seek(event); });
    this.count = make("div", { class: "gi-count" });
    this.say = make("p", { class: "gi-say" });
    return make("section", { class: "gi-time", "aria-label": "Timeline" }, make("div", { class: "gi-transport" }, Object.values(this.buttons)), this.scrub, this.count, this.say);
  }
  /** @param {number} step */
  at(step) { return this.last ? step / this.last * 100 : 0; }
  drawTrack() {
    if (!this.root.isConnected) return;                   // it will be told its size when it is
    const wide = this.scrub.clientWidth || 500, step = this.step, half = this.last ? 50 / this.last : 50, glyphs = wide / Math.max(1, this.last) >= 14;
    const parts = [make("div", { class: "gi-track" }), make("div", { class: "gi-past", style: `width:${this.at(step)}%` })];
    if (glyphs) for (let i = 1; i <= this.last && i < this.film.steps.length; i++) {
      const entry = this.film.steps[i], tick = make("span", { class: `gi-tick ${entry.kind}${i > step ? " later" : ""}`, style: `left:${this.at(i)}%` }, icon(GLYPHS[entry.kind], 13));
      parts.push(tick);
    }
    let from = -100;
    for (const span of this.film.spans) {
      const left = Math.max(0, this.at(span.from) - half), right = Math.min(100, this.at(span.to) + half), on = step >= span.from && step <= span.to;
      if (!glyphs) {
        if ((right - from) / 100 * wide < 40 && !on && span !== this.film.spans.at(-1)) { if (from < 0) from = left; continue; }
        parts.push(make("span", { class: `gi-cell${span.to <= step ? " done" : ""}`, style: `left:${from < 0 ? left : from}%;width:calc(${right - (from < 0 ? left : from)}% - 2px)` }));
        from = right;
      }
      if ((right - left) / 100 * wide >= Math.min(24, span.label.length * MONO + 4) || on) parts.push(make("span", { class: `gi-span${on ? " on" : ""}${span.unnamed ? " unnamed" : ""}`, style: `left:${left}%;width:${right - left}%;${on && (right - left) / 100 * wide < span.label.length * MONO ? "overflow:visible;z-index:1" : ""}`, title: span.label }, clip(span.label, Math.max(on ? 8 : 1, Math.floor((right - left) / 100 * wide / MONO)))));
    }
    parts.push(make("div", { class: "gi-head-mark", style: `left:${this.at(step)}%` }));
    this.scrub.replaceChildren(...parts);
  }
  /** Go to a step; the panel follows the node that acts. @param {number} step */
  go(step) {
    step = Math.min(this.last, Math.max(0, step));
    const node = this.film.steps[step]?.node;
    this.save(node ? { step, selected: node } : { step });
    this.update(true);
  }
  play() {
    if (!this.scene.film) return;
    if (this.step >= this.last) this.go(0);
    this.playing = setInterval(() => {
      this.go(this.step + 1);
      if (this.step >= this.last || isBreak(this.film, this.model.get("breaks") || [], this.step)) this.stop();
    }, Math.max(120, Math.min(700, 20000 / Math.max(1, this.last))));
    this.update(false);
  }
  stop() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = undefined;
    this.update(true);
  }
  /** The first step of the next (or this or the previous) node. @param {number} way */
  nextNode(way) {
    const spans = this.film.spans;
    const target = way > 0 ? spans.find((/** @type {any} */ s) => s.from > this.step) : spans.filter((/** @type {any} */ s) => s.from < this.step).at(-1);
    this.go(target ? target.from : way > 0 ? this.last : 0);
  }

  // ---- showing a step ----------------------------------------------------------------------------
  /** @param {boolean} tell */
  update(tell) {
    if (!this.scene) return;
    const state = this.stateNow(), now = this.current;
    this.drawWires(state, now);
    this.drawCards(state, now);
    this.drawPanel(state);
    if (this.scene.film && now) {
      this.drawTrack();
      const first = this.step === 0, last = this.step === this.last, playing = Boolean(this.playing);
      for (const [name, off] of [["start", first], ["back", first], ["step", last], ["end", last]]) this.buttons[name].setAttribute("aria-disabled", String(off));   // `disabled` would drop the focus, and the keys with it
      const label = playing ? "Pause" : last ? "Play from the start" : "Play";
      this.buttons.play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
      this.buttons.play.setAttribute("aria-label", label); this.buttons.play.setAttribute("title", `${label} (Space)`);
      this.count.replaceChildren(make("b", {}, String(this.step)), make("span", { class: "mono" }, ` / ${this.last}`), make("br"), this.film.mode);
      this.say.replaceChildren(make("span", { class: `gi-kind ${now.kind}` }, icon(GLYPHS[now.kind], 13), now.kind), make("span", {}, sentence(now.say)));
      this.scrub.setAttribute("aria-valuenow", String(this.step)); this.scrub.setAttribute("aria-valuetext", spoken(now.say));
      if (tell && !playing) this.live.textContent = spoken(now.say);
      if (tell && now.node) this.reveal(this.home.get(now.node));
    }
    this.find(false);
  }
  /** The state at the step, laid on what was laid last where that is before it. */
  stateNow() {
    const { film, step, laid } = this;
    if (laid?.film === film && laid.step <= step) lay(laid.state, film, laid.step + 1, step);
    this.laid = { film, step, state: laid?.film === film && laid.step <= step ? laid.state : stateAt(film, step) };
    return this.laid.state;
  }
  drawWires(state, now) {
    const picked = this.picked;
    for (const parts of this.wires.values()) {
      const { wire } = parts, found = wire.edges.map((/** @type {string} */ id) => state.edges[id]).filter(Boolean);
      const moved = found.at(-1), isNow = now?.edge && wire.edges.includes(now.edge), stopped = moved?.stop;
      const look = stopped ? "stop" : isNow ? "now" : moved ? "done" : "", bad = moved?.bad ? " bad" : "";
      const near = wire.source === picked || wire.target === picked;
      const text = moved?.text && (isNow || stopped || this.shown.gradients && (this.picture.roomy || near)) ? (wire.edges.length > 1 ? `${found.length} of ${wire.edges.length} moved` : moved.text) : "";
      const weight = this.shown.gradients && moved?.norm > 0 && !isNow ? Math.min(4.5, Math.max(.75, 2.2 + .55 * Math.log10(moved.norm))) : 1.75;
      const key = `${look}${bad}|${text}${look === "done" ? weight.toFixed(2) : ""}`;
      if (parts.key === key) continue;
      parts.key = key;
      parts.node.setAttribute("class", `gi-wire ${look}${bad}`);
      if (look === "done") parts.node.setAttribute("style", `--weight:${weight.toFixed(2)}`);
      if (stopped && !parts.bar) parts.node.append(parts.bar = make("path", { class: "gi-bar", d: `M${parts.start[0] - 7} ${parts.start[1] + 6}h14` }));
      if (text && !parts.chip) this.layers.chips.append(parts.chip = make("g"));
      if (parts.chip) this.drawChip(parts.chip, wire, text, `${look}${bad}`);
    }
  }
  /** @param {Element} chip @param {any} wire @param {string} text @param {string} look */
  drawChip(chip, wire, text, look) {
    chip.setAttribute("class", `gi-chip ${look}`);
    if (!text) return chip.replaceChildren();
    const label = wire.label.length <= 6 && text.length + wire.label.length <= 22 ? wire.label : "", words = clip(text, 28), per = look.includes("now") ? 6.75 : MONO;
    const start = label ? label.length * 6.75 + 7 : 0, wide = Math.ceil(start + words.length * per + 14), [x, y] = wire.chip;
    chip.setAttribute("transform", `translate(${Math.round(x - wide / 2)} ${y - 10})`);
    chip.replaceChildren(make("title", {}, text), make("rect", { width: wide, height: 20, rx: 2 }), ...(label ? [make("text", { class: "gi-of", x: 7, y: 14 }, label), make("path", { class: "gi-over", d: `M7.500 4.500h${label.length * 6.75 - 1}` })] : []), make("text", { x: 7 + start, y: 14 }, words));
  }
  drawCards(state, now) {
    const picked = this.picked, actor = now?.node ? this.home.get(now.node) : null, breaks = this.model.get("breaks") || [];
    for (const [id, parts] of this.cards) {
      const { card } = parts, changes = card.stack ? undefined : state.cards[card.nodes[0]], foot = card.foot && { ...card.foot, ...changes };
      const waits = foot?.have && foot.have[0] > 0 && foot.have[0] < foot.have[1];
      const look = ["gi-card", card.kind, card.mark || "", id === picked && "selected", id === actor && "now", (foot?.tone || changes?.tone) === "error" && "error", waits && "wait", card.nodes.some((/** @type {string} */ n) => breaks.includes(n)) && "broken"].filter(Boolean).join(" ");
      const key = `${look}|${foot?.left}|${foot?.right}|${foot?.have}|${id === actor ? now.kind : ""}`;
      if (parts.key === key) continue;
      parts.key = key;
      parts.node.setAttribute("class", look);
      this.wear(parts, "pointer", id === actor)?.replaceChildren(...(id === actor ? [icon(GLYPHS[now.kind], 15)] : []));   // what the card does now, told by a sign
      this.wear(parts, "broken", look.includes("broken"));
      parts.node.setAttribute("tabindex", id === picked ? "0" : "-1");
      parts.node.setAttribute("aria-label", [card.aria, foot?.left, foot?.right, id === actor ? "acts now" : ""].filter(Boolean).join(", "));
      if (!foot) continue;
      const [have, want] = foot.have || [0, 0], squares = want > 1 && want <= 4 ? want : 0;
      this.wear(parts, "squares", squares > 0)?.replaceChildren(...Array.from({ length: squares }, (_, i) => make("rect", { class: `gi-square${i < have ? " full" : ""}`, x: 12.5 + i * 11, y: card.h - 17, width: 9, height: 9 })));
      parts.left.setAttribute("x", String(12 + (squares ? squares * 11 + 5 : card.stack ? 20 : 0)));
      parts.left.textContent = foot.left;
      parts.right.textContent = clip(foot.right, Math.floor((card.w - 28 - squares * 11 - foot.left.length * 6.2) / MONO));
    }
  }

  // ---- panel -------------------------------------------------------------------------------------
  drawPanel(state) {
    const panel = this.panelOf(this.selected), stack = this.scene.stacks?.[this.selected];
    if (!panel && !stack) return this.panelBody.replaceChildren(make("p", { class: "gi-top", style: "white-space:normal" }, !this.picture.cards.length ? "Nothing to show yet." : "The kernel is asked for this node; without one its details are not here."));
    if (stack && !panel) return this.panelBody.replaceChildren(...this.stackPanel(stack));
    const parts = [make("div", { class: "gi-top" }, make("b", { class: panel.unnamed ? "unnamed" : "", title: panel.names.join(", ") || panel.name }, panel.names.length > 1 ? panel.names.join(", ") : panel.name), panel.name === panel.op ? null : make("span", {}, panel.op), make("span", { class: "mono" }, panel.place))];
    parts.push(this.formulaPart(panel), this.savedPart(panel, state), this.leavesPart(state), this.valuePart(panel), this.memoryPart(panel), this.codePart(panel),
      this.part("Hooks", panel.hooks.length ? `${panel.hooks.length}` : "none on this node", panel.hooks.map((/** @type {string} */ name) => make("div", { class: "mono" }, name)), panel.hooks.length > 0));
    this.panelBody.replaceChildren(...parts.filter(Boolean));
  }
  /** A section; one with nothing to tell is a single folded line. @param {string} title @param {string} right @param {any} body @param {boolean} open */
  part(title, right, body, open) {
    const full = [body].flat().filter(Boolean).length > 0;
    const details = /** @type {HTMLDetailsElement} */ (make("details", { class: "gi-part", "data-part": title }, make("summary", {}, icon(ICONS.fold, 12), make("b", {}, title), make("span", {}, right)), body));
    details.open = full && (this.open.get(title) ?? open);
    details.querySelector("summary")?.addEventListener("click", () => this.open.set(title, !details.open));
    return details;
  }
  formulaPart(panel) {
    const shown = panel.formula;
    if (!shown) return this.part("Formula", this.scene.engine === "torch" ? "torch does not tell" : panel.kind === "accumulator" ? "adds into .grad" : "not declared", null, false);
    const body = [make("div", { class: "gi-equation symbols", role: "img", "aria-label": shown.text }, formula(shown.math))];
    let known = false;
    for (const row of shown.rows) {
      body.push(make("div", { class: `gi-equation symbols${row.stale ? " bad" : ""}`, role: "img", "aria-label": row.text }, formula(row.math)));
      if (!row.numbers || this.step < row.step || !this.scene.film) continue;
      known = true;
      body.push(make("div", { class: "gi-equation" }, formula(row.numbers)));
      if (row.array?.rows.length) body.push(this.numbers(row.array));
    }
    return this.part("Formula", this.film.mode === "recorded" ? known ? "with this run’s numbers" : "not computed yet" : "", body, true);
  }
  savedPart(panel, state) {
    const freed = state.freed[this.selected];
    const head = make("tr", {}, [["name", ""], ["shape", ""], ["bytes", "r"], ["saved", ""], ["now", ""], ["status", "r"]].map(([text, side]) => make("th", { class: side, scope: "col" }, text)));
    const rows = panel.saved.map((/** @type {any} */ entry) => {
      const word = freed ? "freed" : entry.state, tone = { fresh: "ok", stale: "bad", changed: "bad" }[word] || "dim";
      return make("tr", { title: `${entry.value ? entry.value.text : ""}${entry.written ? `\nwritten in ${entry.written}` : ""}` }, make("td", {}, entry.source ? `${entry.name} = ${entry.source}` : entry.name), make("td", {}, entry.shape), make("td", { class: "r" }, entry.shape ? String(entry.bytes) : "–"), make("td", {}, entry.saved), make("td", { class: word === "stale" ? "bad" : "" }, freed ? "–" : entry.now), make("td", { class: "r" }, make("span", { class: `gi-state ${tone}` }, icon(ICONS[word] || ICONS.unknown, 12), word)));
    });
    const once = new Set(), values = panel.saved.filter((/** @type {any} */ e) => e.value && e.value.rows.length && !freed && !(e.source && once.has(e.source)) && once.add(e.source)).map((/** @type {any} */ e) => make("div", { class: "gi-equation" }, make("span", { class: "name" }, e.source || e.name), make("span", { class: "op" }, e.state === "fresh" ? "=" : "is now"), this.numbers(e.value)));
    const plain = panel.plain.map((/** @type {[string, string]} */ [name, words]) => make("div", { class: "mono dim" }, `${name} = ${words}`));
    const body = [panel.saved.length ? make("table", { class: "gi-table" }, make("thead", {}, head), make("tbody", {}, rows)) : null, panel.notes.map((/** @type {string} */ note) => make("p", { class: "gi-note bad" }, note)), freed ? null : values, plain];
    const right = panel.saved.length ? (freed ? `freed at step ${freed.step}` : panel.bytes) : panel.plain.length ? "no tensor" : "nothing";
    return this.part("Saved tensors", right, body.flat().filter(Boolean), panel.saved.length > 0);
  }
  leavesPart(state) {
    if (!this.film.leaves.length) return null;
    const leaves = this.film.leaves, shown = leaves.slice(0, 12), now = this.current?.kind === "route" || this.current?.kind === "accumulate" ? this.current.set.map(change => change[1]) : [];
    const rows = shown.map((/** @type {any} */ leaf) => {
      const at = { ...leaf, ...state.leaves[leaf.id] };
      return make("tr", {}, make("td", {}, make("b", {}, leaf.name)), make("td", { class: now.includes(leaf.id) ? "nowink" : "" }, at.arrived), make("td", { class: "wrap" }, at.sum), make("td", { class: "r wrap" }, at.grad));
    });
    const table = make("table", { class: "gi-table" }, make("thead", {}, make("tr", {}, ["leaf", "arrived", "sum so far", ".grad"].map((text, i) => make("th", { class: i === 3 ? "r" : "", scope: "col" }, text)))), make("tbody", {}, rows));
    return this.part("Gradients at the leaves", leaves.length > shown.length ? `${shown.length} of ${leaves.length}` : `step ${this.step}`, [table], this.shown.gradients);
  }
  valuePart(panel) {
    const value = panel.value;
    if (!value) return null;
    return this.part("Value", value.text, value.rows.length ? [this.numbers(value)] : null, false);
  }
  /** @param {any} value */
  numbers(value) {
    const rows = value.column ? value.rows[0].map((/** @type {string} */ word) => [word]) : value.rows;
    return make("span", { role: "img", "aria-label": value.text, style: "display:inline-flex;flex-wrap:wrap;align-items:center;font-family:var(--mono)" }, matrix(rows), value.stats.length ? make("span", { class: "dim", style: "margin-left:8px;font-size:11px" }, `${value.shape}, ${value.stats.map((/** @type {string[]} */ pair) => pair.join(" ")).join(", ")}`) : null);
  }
  memoryPart(panel) {
    const body = panel.memory.map((/** @type {any} */ s) => make("div", { class: "gi-storage" }, make("span", { class: "mono" }, `${s.id}  ${s.bytes}`), make("span", { class: `gi-cells${s.written ? " written" : ""}`, style: `--n:${Math.min(24, s.elements)}`, title: s.written ? `last written in ${s.written}` : "" }),
      s.aliases.map((/** @type {any} */ a) => [make("span", { class: "mono", title: `${a.label} ${a.shape}${a.graph ? "" : ", not in the graph"}` }, a.label), make("span", { class: `gi-alias${a.graph ? "" : " out"}`, style: `margin-left:${a.from * 100}%;width:${Math.max(1, (a.to - a.from) * 100)}%` })]),
      s.written ? [make("span"), make("span", { class: "write" }, `last written in ${s.written}${s.version !== "–" ? `, now ${s.version}` : ""}`)] : null));
    const first = panel.memory[0], words = first ? `${first.id}, ${first.bytes}${first.aliases.length > 1 ? `, ${first.aliases.length} tensors` : ", not shared"}` : "nothing known";
    const trouble = panel.memory.some((/** @type {any} */ s) => s.written);
    return this.part("Memory", words, body, this.shown.memory || trouble);
  }
  codePart(panel) {
    const lines = panel.code.map((/** @type {any} */ line) => {
      const cut = line.mark ? line.text.indexOf(line.mark) : -1;
      const source = cut < 0 ? [line.text] : [line.text.slice(0, cut), make("b", {}, line.mark), line.text.slice(cut + line.mark.length)];
      return make("button", { type: "button", title: "Mark the nodes that this line made", onclick: () => this.seek(line.cell.startsWith("In ") ? `${line.cell}, line ${line.line}` : `${line.cell}, line ${line.line}`) }, make("span", { class: "where" }, line.cell), make("span", { class: "where" }, String(line.line)), make("span", { class: "src" }, source), make("span", { class: `role${line.write ? " write" : ""}` }, line.role));
    });
    return this.part("Code", panel.place || (this.scene.engine === "torch" ? "torch keeps no line (set_detect_anomaly does)" : panel.kind === "accumulator" ? "a leaf: no operation made it" : "not known"), lines.length ? [make("div", { class: "gi-code" }, lines)] : null, this.shown.code);
  }
  /** @param {any} stack */
  stackPanel(stack) {
    const rows = stack.blocks.map((/** @type {any} */ block) => make("tr", {}, make("td", { class: "r" }, block.name), make("td", {}, make("div", { style: `height:8px;background:var(--ink3);width:${Math.round(block.bar * 120)}px` })), make("td", { class: "r" }, block.norm), make("td", { class: "r" }, block.nodes)));
    return [make("div", { class: "gi-top" }, make("b", {}, stack.name), make("span", {}, stack.op), make("span", { class: "mono" }, stack.place)),
      this.part("Blocks", stack.words, [make("table", { class: "gi-table" }, make("thead", {}, make("tr", {}, ["block", "gradient norm, log scale", "", "nodes"].map((text, i) => make("th", { class: i === 1 ? "" : "r", scope: "col" }, text)))), make("tbody", {}, rows)), make("button", { class: "gi-more", type: "button", onclick: () => this.expand(this.deck.get(stack.id)) }, `Expand ${stack.blocks.length} blocks`)], true)];
  }

  // ---- what the reader does ----------------------------------------------------------------------
  /** @param {string} id @param {boolean} [show] */
  select(id, show = false) {
    this.save({ selected: id });
    this.update(false);
    if (show) this.reveal(this.home.get(id) || id);
    this.cards.get(this.home.get(id) || id)?.node.focus({ preventScroll: true });
  }
  /** @param {Card} card */
  expand(card) {
    if (this.scene.picture === "folded" && this.scene.pictures.open) { this.opened = true; return this.build(); }   // everything is here already
    this.save({ expanded: [...(this.model.get("expanded") || []), card.id] });
  }
  openAll() { if (this.scene.pictures.open) { this.opened = true; this.build(); } else this.save({ expanded: Object.keys(this.scene.stacks) }); }
  foldAll() { this.opened = false; this.save({ expanded: [], picture: {} }); this.build(); }
  /** @param {string} words */
  seek(words) { this.input.value = words; this.save({ query: words }); this.find(); }
  /** @param {boolean} [tell] */
  find(tell = true) {
    const hits = matches(this.picture.cards, this.input.value), set = new Set(hits), refs = this.picture.references.filter((/** @type {any} */ r) => set.has(r.target));
    if (hits.length || this.found?.length) this.mark(set);
    this.found = hits;
    const uses = refs.reduce((/** @type {number} */ sum, /** @type {any} */ r) => sum + r.count, 0);
    const text = this.input.value.trim() ? `${hits.length} found${uses ? `, ${uses} refs` : ""}` : "";
    if (this.hits.textContent !== text) this.hits.textContent = text;
    if (tell && hits.length) this.reveal(hits[0]);
  }
  mark(set = new Set(this.found)) {
    for (const [id, parts] of this.cards) { parts.node.classList.toggle("hit", set.has(id)); this.wear(parts, "hit", set.has(id)); }
    for (const node of this.layers.references.children) node.classList.toggle("hit", set.has(node.getAttribute("data-target")));
  }
  /** @param {number} way */
  nextHit(way) {
    if (!this.found.length) return;
    const at = this.found.indexOf(this.picked), id = this.found[(at + way + this.found.length) % this.found.length];
    this.save({ selected: this.deck.get(id).stack ? id : this.deck.get(id).nodes[0] });
    this.update(false);
    this.reveal(id);
  }
  /** @param {string} name */
  toggle(name) {
    this.shown[name] = !this.shown[name];
    this.open.delete({ gradients: "Gradients at the leaves", memory: "Memory", code: "Code" }[name]);
    this.root.querySelector(`.gi-toggle[data-name=${name}]`)?.setAttribute("aria-pressed", String(this.shown[name]));
    this.update(false);
  }
  /** Go along the graph: up to who sends here, down to where it sends. @param {number} way */
  along(way) {
    const here = this.picked, wire = this.picture.wires.find((/** @type {any} */ w) => way > 0 ? w.source === here : w.target === here);
    const next = wire && (way > 0 ? wire.target : wire.source), ref = this.picture.references.find((/** @type {any} */ r) => r.id === next);
    const card = this.deck.get(ref ? ref.target : next);
    if (card) this.select(card.stack ? card.id : card.nodes[0], true);
  }
  /** Tab moves from card to card while the canvas has the focus. @param {number} way */
  help() {
    const shown = this.root.querySelector(".gi-key");
    if (shown) { shown.remove(); return /** @type {HTMLElement} */ (this.root.contains(this.before) ? this.before : this.root).focus({ preventScroll: true }); }
    this.before = document.activeElement;
    const list = (/** @type {[any, string][]} */ rows) => make("dl", {}, rows.map(([sign, text]) => [make("dt", {}, sign), make("dd", {}, text)]));
    const card = (/** @type {string} */ kind) => make("svg", { width: 48, height: 26, viewBox: "-2 -2 48 26" }, make("g", { class: `gi-card ${kind}` }, make("path", { class: "gi-box", d: outline(kind, 44, 22) })));
    const wire = (/** @type {string} */ look) => make("svg", { width: 48, height: 16 }, make("g", { class: `gi-wire ${look}` }, make("path", { d: "M4 8H38" }), make("path", { class: "gi-head", d: "M38 3.500v9L45 8z" }), make("path", { class: "gi-bar", d: "M10 2v12" })));
    const keys = (/** @type {string} */ names) => make("span", {}, names.split(" ").map(name => [make("kbd", {}, name), " "]));
    this.root.append(make("div", { class: "gi-key", role: "dialog", "aria-label": "Keys and signs", tabindex: -1 },
      make("div", {}, make("h4", {}, "Keys"), list([[keys("→ ←"), "step, step back"], [keys("Shift → ←"), "next, previous node"], [keys("Home End"), "to the start, to the end"], [keys("Space"), "play, pause"], [keys("↑ ↓"), "towards the output, the leaves"], [keys("Enter"), "run to the selected node"], [keys("b"), "break at the selected node"], [keys("/"), "search; Enter next hit"], [keys("f + −"), "fit to width, zoom"], [keys("g m c"), "Gradients, Memory, Code"], [keys("? Escape"), "this key; leave"]])),
      make("div", {}, make("h4", {}, "Nodes"), list([[card("operation"), "operation"], [card("accumulator"), "accumulator: a leaf’s .grad"], [card("view"), "view: shares a storage"], [card("inplace"), "in-place result (CopySlices)"], [card("custom"), "your own Function"]])),
      make("div", {}, make("h4", {}, "Edges"), list([[wire("now"), "the gradient moves now"], [wire("done"), "has moved; wide: large norm"], [wire(""), "not yet"], [wire("stop"), "will never move: an error came first"]])),
      make("div", {}, make("h4", {}, "Steps"), list(Object.keys(GLYPHS).filter(kind => kind !== "ready").map(kind => [icon(GLYPHS[kind]), kind])))));
    /** @type {HTMLElement} */ (this.root.lastElementChild).focus();
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target), typing = target === this.input, onButton = target.closest("button, summary, .gi-reference");
    if (event.key !== "Tab") event.stopPropagation();     // else `b` would insert a cell into the notebook
    const done = () => event.preventDefault();
    if (event.key === "Escape") {
      if (this.root.querySelector(".gi-key")) this.help();
      else if (typing) { this.seek(""); this.root.focus(); } else if (this.root.contains(document.activeElement)) /** @type {HTMLElement} */ (document.activeElement).blur();
      return done();
    }
    if (typing) { if (event.key === "Enter") { this.nextHit(event.shiftKey ? -1 : 1); done(); } return; }
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    const act = {
      ArrowRight: () => event.shiftKey ? this.nextNode(1) : this.go(this.step + 1), ArrowLeft: () => event.shiftKey ? this.nextNode(-1) : this.go(this.step - 1),
      ArrowUp: () => this.along(-1), ArrowDown: () => this.along(1), Home: () => this.go(0), End: () => this.go(this.last), " ": () => this.playing ? this.stop() : this.play(),
      Enter: () => { const card = this.deck.get(this.picked); if (card?.stack) this.expand(card); else if (this.scene.film) this.go(runTo(this.film, [this.selected], this.step)); },
      b: () => this.breakHere(), "/": () => this.input.focus(), f: () => this.fit(), "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(1 / 1.25),
      g: () => this.toggle("gradients"), m: () => this.toggle("memory"), c: () => this.toggle("code"), "?": () => this.help(),
    }[event.key];
    if (act) { act(); done(); }
  }
  /** @param {string} id */
  nameOf(id) { return this.panelOf(id)?.name || this.scene.stacks?.[id]?.name || id; }
  breakHere() {
    const breaks = this.model.get("breaks") || [], id = this.selected;
    const next = breaks.includes(id) ? breaks.filter((/** @type {string} */ n) => n !== id) : [...breaks, id];
    this.save({ breaks: next });
    this.update(false);
    this.live.textContent = next.includes(id) ? `Break at ${this.nameOf(id)}` : `No break at ${this.nameOf(id)}`;
  }
}

export default {
  /** @param {{model: Model, el: HTMLElement}} context */
  render({ model, el }) {
    const inspector = new Inspector(model, el);
    return () => inspector.close();
  },
};
