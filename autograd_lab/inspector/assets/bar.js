// The bar above the canvas: title, search, zoom and toggles; the ribbon of findings; the page of keys and signs.
// @ts-check
import { Panel } from "./panel.js";
import { GLYPHS, ICONS, icon, make, outline } from "./signs.js";
import { sentence } from "./words.js";

/** The words of a card in which a query stands: its name, its op, or the line that made it. @param {any} card @param {string} query */
const found = (card, query) => card.name.toLowerCase().includes(query) ? "in-name" : card.op.toLowerCase().includes(query) ? "in-op" : "in-line";
/** @param {any[]} cards @param {string} query */
export const matches = (cards, query) => query.trim() ? cards.filter(card => card.find.includes(query.trim().toLowerCase())).map(card => card.id) : [];

const STEPS = { seed: "the output receives the first gradient", enter: "a node received all of its gradient", exit: "it computed those of its inputs", route: "one of them arrived at an input", accumulate: "it was added into a leaf’s .grad", hook: "a hook of yours changed one", release: "saved tensors were let go of", finish: "backward is done", error: "backward raised here" };

export class Bar extends Panel {
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
  /** Mark the words that match: the name, the op, or the whole card when it is its line or what is folded in it. */
  mark(set = new Set(this.found)) {
    const query = this.input.value.trim().toLowerCase();
    for (const [id, parts] of this.cards) {
      const hit = set.has(id), where = hit && found(parts.card, query), mark = this.wear(parts, "hit", hit), { w, h } = parts.card;
      for (const name of ["in-name", "in-op", "in-line"]) parts.node.classList.toggle(name, where === name);
      parts.node.classList.toggle("hit", hit);
      if (!hit) continue;
      const wide = (/** @type {number} */ size) => Math.min(w - 24, size) + 6;
      const place = { "in-name": [9, 5, wide(parts.name.length * 8.45), 17], "in-op": [9, 23, wide(parts.card.op.length * 6.9), 15], "in-line": [-5, -5, w + 10, h + 10] }[where];
      ["x", "y", "width", "height"].forEach((name, i) => mark.setAttribute(name, String(place[i])));
      where === "in-line" ? parts.node.prepend(mark) : parts.node.querySelector(".gi-name").before(mark);
    }
    for (const node of this.layers.references.children) node.classList.toggle("hit", set.has(node.getAttribute("data-target")));
  }
  /** Python asked. */
  asked() {
    this.finish();
    if (this.input.value !== this.model.get("query")) this.input.value = this.model.get("query");
    this.find();
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
  help() {
    const shown = this.root.querySelector(".gi-key");
    if (shown) { shown.remove(); return /** @type {HTMLElement} */ (this.root.contains(this.before) ? this.before : this.root).focus({ preventScroll: true }); }
    this.before = document.activeElement;
    const list = (/** @type {[any, string][]} */ rows) => make("dl", {}, rows.map(([sign, text]) => [make("dt", {}, sign), make("dd", {}, text)]));
    const card = (/** @type {string} */ kind) => make("svg", { width: 48, height: 26, viewBox: "-2 -2 48 26" }, make("g", { class: `gi-card ${kind}` }, make("path", { class: "gi-box", d: outline(kind, 44, 22) })));
    const wire = (/** @type {string} */ look) => make("svg", { width: 48, height: 16 }, make("g", { class: `gi-wire ${look}` }, make("path", { d: "M4 8H38" }), make("path", { class: "gi-head", d: "M38 3.500v9L45 8z" }), make("path", { class: "gi-bar", d: "M10 2v12" })));
    const keys = (/** @type {string} */ names) => make("span", {}, names.split(" ").map(name => [make("kbd", {}, name), " "]));
    this.root.append(make("div", { class: "gi-key", role: "dialog", "aria-label": "Keys and signs", tabindex: -1 },
      make("div", {}, make("h4", {}, "Keys"), list([[keys("→ ←"), "step, step back"], [keys("Shift → ←"), "next, previous node"], [keys("Home End"), "to the start, to the end"], [keys("Space"), "play, pause"], [keys("Tab"), "along the nodes, then on; Shift back"], [keys("↑ ↓"), "towards the output, the leaves"], [keys("Enter"), "run to the selected node"], [keys("b"), "break at the selected node"], [keys("/"), "search; Enter next hit"], [keys("f + −"), "fit to width, zoom"], [keys("g m c"), "Gradients, Memory, Code"], [keys("? Escape"), "this key; leave"]])),
      make("div", {}, make("h4", {}, "Nodes"), list([[card("operation"), "operation"], [card("accumulator"), "accumulator: a leaf’s .grad"], [card("view"), "view: shares a storage"], [card("inplace"), "in-place result (CopySlices)"], [card("custom"), "your own Function"]]),
        make("h4", {}, "Edges"), list([[wire("now"), "the gradient moves now"], [wire("done"), "has moved; wide: large norm"], [wire(""), "not yet"], [wire("stop"), "never: an error came first"]])),
      make("div", {}, make("h4", {}, "Steps"), list(Object.entries(STEPS).map(([kind, words]) => [icon(GLYPHS[kind]), [make("b", {}, kind), ` ${words}`]])))));
    /** @type {HTMLElement} */ (this.root.lastElementChild).focus();
  }
}
