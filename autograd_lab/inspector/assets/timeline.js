// The timeline: transport, the track with its glyphs, the sentence of the step.
// @ts-check
import { Canvas } from "./canvas.js";
import { isBreak } from "./film.js";
import { GLYPHS, ICONS, MONO, clip, icon, make } from "./signs.js";
import { sentence, spoken } from "./words.js";

export class Timeline extends Canvas {
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
    if (this.watch && !this.trackWide) return;            // it will be drawn when its size comes
    const wide = this.trackWide || 500, step = this.step, half = this.last ? 50 / this.last : 50, glyphs = wide / Math.max(1, this.last) >= 14;
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

}
