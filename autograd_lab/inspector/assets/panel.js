// The panel beside the canvas: what is known about the selected node, or about a stack of them.
// @ts-check
import { ICONS, icon, make } from "./signs.js";
import { Timeline } from "./timeline.js";
import { formula, matrix } from "./words.js";

export class Panel extends Timeline {
  drawPanel(state) {
    const panel = this.panelOf(this.selected), stack = this.stackOf(this.selected);
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
    return make("span", { role: "img", "aria-label": value.text, style: "display:inline-flex;flex-wrap:wrap;align-items:center;font-family:var(--gi-mono)" }, matrix(rows), value.stats.length ? make("span", { class: "dim", style: "margin-left:8px;font-size:11px" }, `${value.shape}, ${value.stats.map((/** @type {string[]} */ pair) => pair.join(" ")).join(", ")}`) : null);
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
    const rows = stack.blocks.map((/** @type {any} */ block) => make("tr", {}, make("td", { class: "r" }, block.name), make("td", {}, make("div", { style: `height:8px;background:var(--gi-ink3);width:${Math.round(block.bar * 120)}px` })), make("td", { class: "r" }, block.norm), make("td", { class: "r" }, block.nodes)));
    return [make("div", { class: "gi-top" }, make("b", {}, stack.name), make("span", {}, stack.op), make("span", { class: "mono" }, stack.place)),
      this.part("Blocks", stack.words, [make("table", { class: "gi-table" }, make("thead", {}, make("tr", {}, [stack.heading, "gradient norm, log scale", "", "nodes"].map((text, i) => make("th", { class: i === 1 ? "" : "r", scope: "col" }, text)))), make("tbody", {}, rows)), make("button", { class: "gi-more", type: "button", onclick: () => this.expand(this.deck.get(stack.id)) }, `Expand ${stack.blocks.length} ${stack.heading}s`)], true)];
  }
}
