// The inspector as a whole: it comes to life in two strokes, the picture first, and answers hand and keyboard.
// @ts-check
import { Bar } from "./bar.js";
import { runTo } from "./film.js";
import { GLYPHS, ICONS, icon, make } from "./signs.js";
import { sentence, spoken } from "./words.js";

/** @typedef {import("./model.js").Card} Card */
/** @typedef {import("./model.js").Model} Model */
const ROOMS = /** @type {[number, string][]} */ ([[920, "middle"], [759, "narrow"], [479, "slim"]]);   // widths up to which the parts move together

const UNSEEN = 500;                                       // milliseconds after which an inspector that is not seen is drawn nevertheless

export class Inspector extends Bar {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    super(model);
    this.shown = { gradients: true, memory: false, code: true };
    this.open = new Map();                                // sections that the reader opened or closed by hand
    this.root = make("section", { class: "gi", role: "region", tabindex: -1 });
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { this.finish(); this.key(event); });
    for (const event of ["pointerdown", "focusin"]) this.root.addEventListener(event, () => this.finish(), true);
    this.watch = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(entries => this.measured(entries));
    /** @type {[string, () => void][]} */
    this.heard = [["change:scene", () => this.build()], ["change:picture", () => this.build()], ["change:query", () => this.asked()]];
    for (const name of ["step", "selected", "breaks"]) this.heard.push([`change:${name}`, () => { this.finish(); this.update(true); }]);
    for (const name of ["more", "asked", "movie"]) this.heard.push([`change:${name}`, () => { if (this.whole) this.later(); }]);
    for (const [event, call] of this.heard) model.on(event, call);
    this.build();
    el.append(this.root);
  }
  close() {
    this.stop();
    this.closed = true;
    this.watch?.disconnect();
    for (const [event, call] of this.heard) this.model.off(event, call);
  }
  /** Go on when the page has nothing else to do; several wishes at once are one. */
  later() {
    const go = () => { this.waiting = false; if (!this.closed) this.whole ? this.update(false) : this.finish(); };
    if (!this.watch) return go();
    if (this.waiting) return;
    this.waiting = true;
    typeof requestIdleCallback === "undefined" ? setTimeout(go, 30) : requestIdleCallback(go, { timeout: 200 });
  }

  /** Begin: the empty frame. The picture is drawn when the frame has its size, the rest when the picture has been seen. */
  build() {
    this.stop();
    this.scene = this.read("scene");
    const sent = this.read("picture");
    this.laid = undefined;
    this.found = [];
    this.drawn = this.whole = false;
    this.reading = undefined;
    this.picture = sent && sent.cards ? sent : this.scene.pictures[this.opened && this.scene.pictures.open ? "open" : this.scene.picture];
    this.root.setAttribute("aria-label", `Graph inspector of ${this.scene.title}`);
    const inside = this.root.contains(document.activeElement), canvas = this.makeCanvas(), before = this.root.querySelector(".gi-canvas");
    if (before) before.replaceWith(canvas);               // what stands around it is told the news a moment later
    else {
      this.live = make("div", { class: "gi-unseen", "aria-live": "polite" });
      this.grid = make("div", { class: "gi-grid" }, make("header", { class: "gi-bar" }), this.makeFinding(), canvas, this.scene.film ? make("section", { class: "gi-time" }) : null, make("aside", { class: "gi-panel" }));
      this.root.append(this.grid, this.live);
    }
    if (inside && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
    this.watch?.disconnect();
    for (const part of [this.root, this.sight]) this.watch?.observe(part);
    if (!this.watch) return this.unseen();
    setTimeout(() => this.unseen(), UNSEEN);              // far from the window nobody measures
  }
  /** Be complete where no size has come: other programs read the page too. */
  unseen() {
    if (this.drawn || this.closed) return;
    this.wide = 600;
    this.first();
    this.finish();
  }
  /** A size came; this way nobody has to ask for it, and the page is laid out once. @param {ResizeObserverEntry[]} entries */
  measured(entries) {
    for (const { target, contentRect: { width, height } } of entries) {
      const room = ROOMS.filter(([up]) => width <= up).map(([, name]) => name).join(" ");
      if (target === this.root && this.root.dataset.room !== room) this.root.dataset.room = room;
      if (target === this.sight) { this.wide = width; this.high = height; if (!this.drawn) this.first(); else if (this.fitted) this.fit(); else this.furnish(); }
      if (target === this.scrub && width !== this.trackWide) { this.trackWide = width; if (this.whole) this.drawTrack(); }
    }
  }
  /** Draw what is in sight: the picture that the reader waits for. */
  first() {
    this.drawn = true;
    this.stateNow();
    this.fit();
    this.root.setAttribute("data-drawn", String(Number(this.root.getAttribute("data-drawn") || 0) + 1));
    if (this.watch) requestAnimationFrame(() => requestAnimationFrame(() => this.later()));
  }
  /** Build what stands around the picture; whoever touches the inspector before has it at once. */
  finish() {
    if (this.whole || this.closed) return;
    this.whole = true;
    const inside = this.root.contains(document.activeElement) && document.activeElement !== this.root;
    this.panelBody = make("div", { class: "gi-scroll", tabindex: 0, role: "group", "aria-label": "Selected node" });
    const parts = [this.makeBar(), this.makeFinding(), this.sight.parentNode, this.scene.film ? this.makeTime() : null, make("aside", { class: "gi-panel" }, this.panelBody)].filter(Boolean);
    for (const old of [...this.grid.children]) if (!parts.includes(old)) old.remove();
    parts.forEach((part, i) => { if (this.grid.children[i] !== part) this.grid.insertBefore(part, this.grid.children[i] || null); });
    if (inside && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
    this.furnishCanvas();
    if (this.mapWide && this.fitted && this.drawn) this.fit();
    this.furnish();
    if (this.scene.film) this.watch?.observe(this.scrub);
    this.update(false);
    this.root.setAttribute("data-ready", "");
  }

  /** @param {boolean} tell */
  update(tell) {
    if (!this.whole) return;
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
  openAll() { if (this.scene.pictures.open) { this.opened = true; this.build(); } else this.save({ expanded: ["*"] }); }
  foldAll() { this.opened = false; this.save({ expanded: [], picture: {} }); this.build(); }
  /** Go along the graph: up to who sends here, down to where it sends. @param {number} way */
  along(way) {
    const here = this.picked, wire = this.picture.wires.find((/** @type {any} */ w) => way > 0 ? w.source === here : w.target === here);
    const next = wire && (way > 0 ? wire.target : wire.source), ref = this.picture.references.find((/** @type {any} */ r) => r.id === next);
    const card = this.deck.get(ref ? ref.target : next);
    if (card) this.select(card.stack ? card.id : card.nodes[0], true);
  }
  /** From card to card in reading order; from the last and the first one Tab leaves the canvas. @param {KeyboardEvent} event @param {Element|null} from */
  tab(event, from) {
    if (!from) return;
    const order = this.reading ||= [...this.picture.cards].sort((a, b) => a.y - b.y || a.x - b.x);
    const next = order[order.findIndex(card => card.id === from.getAttribute("data-id")) + (event.shiftKey ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.select(next.stack ? next.id : next.nodes[0], true);
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target), typing = target === this.input, onButton = target.closest("button, summary, .gi-reference");
    if (event.key === "Tab") return this.tab(event, target.closest(".gi-card"));
    event.stopPropagation();                              // else `b` would insert a cell into the notebook
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
  nameOf(id) { return this.panelOf(id)?.name || this.stackOf(id)?.name || id; }
  breakHere() {
    const breaks = this.model.get("breaks") || [], id = this.selected;
    const next = breaks.includes(id) ? breaks.filter((/** @type {string} */ n) => n !== id) : [...breaks, id];
    this.save({ breaks: next });
    this.update(false);
    this.live.textContent = next.includes(id) ? `Break at ${this.nameOf(id)}` : `No break at ${this.nameOf(id)}`;
  }
}
/** What a notebook calls with the model and the place. @param {{model: Model, el: HTMLElement}} context */
export function render({ model, el }) {
  const inspector = new Inspector(model, el);
  return () => inspector.close();
}
