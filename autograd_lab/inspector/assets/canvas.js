// The canvas: cards, wires, references and the overview, drawn where they are seen, moved and zoomed.
// @ts-check
import { runTo } from "./film.js";
import { Known } from "./model.js";
import { GLYPHS, MONO, clip, icon, make, outline, way } from "./signs.js";

const BAND = 200;                                         // height of a strip of the canvas that is drawn when it is first seen
const NEAR = 300;                                         // pixels around the sight that are drawn before they are seen
const READABLE = 0.6, WELL = 0.7, WHOLE = 0.8;                         // of full size: below the one names are guessed; who must move the picture anyway reads it well

export class Canvas extends Known {
  makeCanvas() {
    this.cards = new Map(); this.wires = new Map();       // what has been drawn, with its elements
    this.deck = new Map(this.picture.cards.map((/** @type {Card} */ card) => [card.id, card]));
    this.home = new Map(this.picture.cards.flatMap((/** @type {Card} */ card) => card.nodes.map(node => [node, card.id])));
    this.layers = { wires: make("g"), cards: make("g"), references: make("g"), chips: make("g") };
    this.plane = make("g", {}, Object.values(this.layers));
    const svg = make("svg", { role: "list", "aria-label": `Graph of ${this.scene.title}, ${this.scene.subtitle}` }, this.plane);
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
    this.wide = 0; this.high = Math.round(Math.min(470, Math.max(this.scene.film ? 300 : 340, this.picture.height + 8)));
    this.sight.style.height = `${this.high}px`;
    this.pan();
    this.mapWide = 0;
    this.windowBox = undefined;
    this.status = make("div", { class: "gi-status" });
    return make("div", { class: "gi-canvas" }, this.sight, this.status);
  }
  /** What the first picture can do without: the overview, and the line below the canvas. */
  furnishCanvas() {
    if (this.picture.height > 640 || this.picture.width * READABLE > this.wide) this.makeOverview();
    const kinds = new Set(this.picture.cards.map((/** @type {Card} */ card) => card.kind)), names = { operation: "operation", accumulator: "accumulator (leaf)", view: "view", inplace: "in-place", custom: "own Function" };
    const legend = Object.entries(names).filter(([kind]) => kinds.has(kind)).map(([kind, text]) => make("span", { class: "gi-key-item" }, make("svg", { width: 20, height: 12, viewBox: "-3 -3 66 38", "aria-hidden": "true" }, make("g", { class: `gi-card ${kind}` }, make("path", { class: "gi-box", d: outline(kind, 60, 32), style: "stroke-width:4" }))), text));
    const right = this.scene.note || (this.scene.film && this.scene.film.mode === "recorded" ? (this.scene.findings.length ? `${this.scene.findings.length} finding${this.scene.findings.length > 1 ? "s" : ""}` : "no findings") : `the graph keeps ${this.scene.kept}`);
    const folded = this.picture.cards.some((/** @type {Card} */ card) => card.stack), opened = this.opened || (this.model.get("expanded") || []).length;
    this.status.replaceChildren(...legend, ...(folded && this.scene.openable ? [make("button", { class: "gi-more gi-small", type: "button", onclick: () => this.openAll() }, "Open all")] : []), ...(opened ? [make("button", { class: "gi-more gi-small", type: "button", onclick: () => this.foldAll() }, "Fold all")] : []),
      make("span", {}, folded && !this.scene.note ? `${this.picture.cards.length} cards for ${this.scene.subtitle.split(",")[0]}` : right));
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
    const { card, node } = parts;
    parts[part] ||= {
      pointer: () => make("g", { class: "gi-pointer", transform: `translate(-19 ${Math.min(card.h, 42) / 2 - 7.5})` }),
      broken: () => make("circle", { class: "gi-break", r: 5 }),
      squares: () => make("g"),
      ring: () => make("rect", { class: "gi-ring", x: -4, y: -4, width: card.w + 8, height: card.h + 8, rx: 4 }),
      hit: () => make("rect", { class: "gi-hit", rx: 2 }),
      title: () => make("title", {}, card.title),
    }[part]();
    if (!parts[part].parentNode && part !== "hit") part === "title" ? node.prepend(parts.title) : node.append(parts[part]);
    return parts[part];
  }
  /** @param {Card} card */
  makeBars(card) {
    const bars = card.stack.bars, wide = (card.w - 24) / bars.length;
    return make("g", { class: "gi-bars" }, make("line", { x1: 12, x2: card.w - 12, y1: 86.5, y2: 86.5, stroke: "var(--gi-rule)" }), bars.map((/** @type {number} */ size, /** @type {number} */ i) => make("rect", { x: 12 + wide * i, y: 86 - 40 * size, width: Math.max(1, wide - 3), height: 40 * size })));
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
    const { width, height } = this.picture, room = this.wide && this.wide < 520 ? 72 : 120, k = Math.min(room / width, room / height), size = [Math.max(24, width * k), Math.max(24, height * k)];
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
    if (this.zoomText) this.zoomText.textContent = `${Math.round(k * 100)}%`;
    this.furnish();
    if (this.windowBox) for (const [name, value] of Object.entries({ x: -tx / k, y: -ty / k, width: this.wide / k, height: this.high / k })) this.windowBox.setAttribute(name, String(Math.round(value)));
  }
  /** Draw the strips of the canvas that are in sight and have not been drawn yet. */
  furnish() {
    const near = this.whole ? NEAR : 0, high = typeof ResizeObserver === "undefined" ? Infinity : this.high;
    const from = Math.floor((-this.ty - near) / this.k / BAND), to = Math.floor((high - this.ty + near) / this.k / BAND), seen = [...this.bands.keys()].filter(band => band >= from && band <= to);
    if (!seen.length) return;
    for (const band of seen) { for (const draw of this.bands.get(band) || []) draw(); this.bands.delete(band); }
    if (!this.laid) return;
    this.drawWires(this.laid.state, this.current);
    this.drawCards(this.laid.state, this.current);
    if (this.found?.length) this.mark();
  }
  /** Fit the whole picture if it stays nearly its own size, else its width where it can be read; else it is moved. */
  fit() {
    const map = this.mapWide && this.mapWide < 80 ? this.mapWide + 16 : 0, w = this.wide - map, h = this.high, fits = w / this.picture.width, whole = Math.min(1, fits, (h - 8) / this.picture.height);
    const k = fits < READABLE ? WELL : whole >= WHOLE ? whole : Math.min(1, fits);
    const tx = (w - this.picture.width * k) / 2, ty = this.picture.height * k < h ? (h - this.picture.height * k) / 2 : 0;
    const [x, y] = this.picture.width * k > w || this.picture.height * k > h ? this.toward(this.home.get(this.current?.node || this.selected) || "", k, tx, ty) : [tx, ty];
    this.place(k, x, y, true);
  }
  /** @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x = this.wide / 2, y = this.high / 2) {
    const k = Math.min(3, Math.max(.05, this.k * factor)), { wide: w, high: h } = this;
    // as far as possible the place under the pointer stays; an empty canvas helps nobody
    const keep = (/** @type {number} */ t, /** @type {number} */ size, /** @type {number} */ room) => size <= room ? (room - size) / 2 : Math.min(24, Math.max(room - size - 24, t));
    this.place(k, keep(x - (x - this.tx) * k / this.k, this.picture.width * k, w), keep(y - (y - this.ty) * k / this.k, this.picture.height * k, h));
  }
  /** @param {number} x @param {number} y */
  center(x, y) { this.place(this.k, this.wide / 2 - x * this.k, this.high / 2 - y * this.k); }
  /** Where the plane must stand so that a card is seen, as near to (tx, ty) as can be. @param {string} id @param {number} k @param {number} tx @param {number} ty */
  toward(id, k, tx, ty) {
    const card = this.deck.get(id), { wide: w, high: h } = this, pad = 24;
    if (!card) return [tx, ty];
    const into = (/** @type {number} */ t, /** @type {number} */ low, /** @type {number} */ size, /** @type {number} */ room) => size * k + 2 * pad > room ? (room - size * k) / 2 - low * k : Math.min(Math.max(t, pad - low * k), room - pad - (low + size) * k);
    const seen = card.x * k + tx >= 0 && (card.x + card.w) * k + tx <= w && card.y * k + ty >= 0 && (card.y + card.h) * k + ty <= h;
    return seen ? [tx, ty] : [into(tx, card.x, card.w, w), into(ty, card.y, card.h, h)];
  }
  /** Move as little as needed to see a card. @param {string} id */
  reveal(id) {
    if (!this.wide) return;
    const [x, y] = this.toward(id, this.k, this.tx, this.ty);
    if (x !== this.tx || y !== this.ty) this.place(this.k, x, y, this.fitted);
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
}
