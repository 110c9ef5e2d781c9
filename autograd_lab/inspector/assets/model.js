// What the widget knows: the values that Python sent, the step, the selection.
// @ts-check
import { lay, stateAt } from "./film.js";

/** @typedef {{get(name: string): any, set(name: string, value: any): void, save_changes(): void, on(event: string, f: () => void): void, off(event: string, f: () => void): void}} Model */
/** @typedef {{id: string, nodes: string[], kind: string, name: string, unnamed: boolean, op: string, shape: string, dtype: string, foot: any, x: number, y: number, w: number, h: number, aria: string, title: string, find: string, refs?: number, mark?: string, stack?: any}} Card */
const EMPTY = { leaves: [], steps: [], spans: [], mode: "" };

/** @typedef {import("./film.js").Step} Step */

export class Known {
  // what the rooms share: scene and picture as Python sent them, the elements, and how far the drawing has come
  scene; picture; root; grid; live; watch;
  sight; status; scrub; input; hits; zoomText; panelBody;
  shown; open; found; laid; playing; drawn; whole;
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.parsed = new Map();
    /** @type {Map<string, string>} a node, and the card on which it stands */
    this.home = new Map();
    /** @type {Map<string, any>} all cards of the picture, drawn or not */
    this.deck = new Map();
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
  /** @param {string} id */
  stackOf(id) { return this.picture.stacks?.[id] || this.scene.stacks?.[id]; }
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
  /** The state at the step, laid on what was laid last where that is before it. */
  stateNow() {
    const { film, step, laid } = this;
    if (laid?.film === film && laid.step <= step) lay(laid.state, film, laid.step + 1, step);
    this.laid = { film, step, state: laid?.film === film && laid.step <= step ? laid.state : stateAt(film, step) };
    return this.laid.state;
  }
}
