// The shipped module under Node with jsdom: the same file that the notebook loads, driven by keys and clicks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeEach, test } from "node:test";

const { JSDOM } = createRequire(import.meta.url)("jsdom");
const source = readFileSync(process.env.INSPECTOR_MODULE, "utf8");
const module = await import("data:text/javascript;base64," + Buffer.from(source).toString("base64"));
const { scene, states, stale, evil } = JSON.parse(readFileSync(process.env.INSPECTOR_SCENES, "utf8"));

let dom, model, root, clean;

function open(view) {
  dom = new JSDOM("<!doctype html><body><div id=host></div></body>");
  for (const name of ["window", "document", "HTMLElement"]) globalThis[name] = name === "window" ? dom.window : dom.window[name];
  const values = { scene: view, step: 0, selected: view.roots[0], query: "", breaks: [], expanded: [], picture: {}, more: {}, asked: {}, movie: {} }, listeners = {};
  model = {
    values, saved: 0, get: name => values[name], save_changes() { this.saved++; },
    set(name, value) { values[name] = value; },
    on(event, call) { (listeners[event] ||= new Set()).add(call); }, off(event, call) { listeners[event].delete(call); },
    push(name, value) { values[name] = value; for (const call of listeners[`change:${name}`] || []) call(); },
    get listening() { return Object.values(listeners).reduce((sum, calls) => sum + calls.size, 0); },
  };
  clean = module.default.render({ model, el: dom.window.document.getElementById("host") });
  root = dom.window.document.querySelector(".gi");
}
const key = (name, options = {}, target = root) => {
  const event = new dom.window.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...options });
  let outside = false;
  dom.window.document.body.addEventListener("keydown", () => { outside = true; }, { once: true });
  target.dispatchEvent(event);
  return outside;
};
const card = op => [...root.querySelectorAll(".gi-card")].find(node => node.getAttribute("aria-label").includes(op));
const click = node => node.dispatchEvent(new dom.window.MouseEvent("click", { bubbles: true }));
const say = () => root.querySelector(".gi-say").textContent;

beforeEach(() => open(scene));

test("the fold of the steps is Python's", () => {
  states.forEach((state, step) => assert.deepEqual(module.stateAt(scene.film, step), state));
});

test("every card is drawn, labelled, and one of them is in the tab order", () => {
  const cards = [...root.querySelectorAll("[role=listitem]")];
  assert.equal(cards.length, scene.pictures.open.cards.length);
  assert.equal(cards.filter(node => node.getAttribute("tabindex") === "0").length, 1);
  for (const node of cards) assert.ok(node.getAttribute("aria-label").length > 5);
  for (const button of root.querySelectorAll("button")) assert.ok(button.getAttribute("aria-label") || button.textContent.trim());
});

test("whatever can have the focus keeps Jupyter's shortcuts away", () => {
  for (const node of root.querySelectorAll("button, input, summary, [tabindex]")) assert.equal(node.getAttribute("data-lm-suppress-shortcuts"), "true");
});

test("a click shows the saved tensors", () => {
  click(card("MulBackward0"));
  assert.equal(model.get("selected"), scene.pictures.open.cards.find(c => c.aria.includes("MulBackward0")).id);
  const text = root.querySelector('[data-part="Saved tensors"]').textContent;
  assert.match(text, /self = x/);
  assert.match(text, /fresh/);
});

test("arrows step forward and back, and picture and words follow", () => {
  const seen = [say()];
  for (let i = 0; i < 4; i++) { key("ArrowRight"); seen.push(say()); }
  assert.equal(new Set(seen).size, 5);
  assert.equal(model.get("step"), 4);
  assert.equal(root.querySelectorAll(".gi-wire.now").length, 1);
  key("ArrowLeft");
  assert.equal(say(), seen[3]);
  assert.equal(root.querySelectorAll(".gi-wire.now").length, 0);
  assert.equal(root.querySelector("[aria-live=polite].gi-unseen").textContent, module.spoken(scene.film.steps[3].say));
});

test("Home, End, and steps outside the film", () => {
  key("End");
  assert.equal(model.get("step"), scene.film.steps.length - 1);
  key("ArrowRight");
  assert.equal(model.get("step"), scene.film.steps.length - 1);
  key("Home");
  key("ArrowLeft");
  assert.equal(model.get("step"), 0);
});

test("unmodified keys do not reach the notebook, modified keys do", () => {
  for (const name of ["b", "a", "d", "ArrowDown", "Enter", " "]) assert.equal(key(name), false, name);
  assert.equal(key("s", { ctrlKey: true }), true);
  assert.equal(key("Tab"), true);
});

test("Shift with an arrow goes to the next node's first step", () => {
  key("ArrowRight", { shiftKey: true });
  key("ArrowRight", { shiftKey: true });
  assert.equal(model.get("step"), scene.film.spans[1].from);
  key("ArrowLeft", { shiftKey: true });
  assert.equal(model.get("step"), scene.film.spans[0].from);
});

test("break at a node stops playing there, Enter runs to it", () => {
  click(card("MulBackward0"));
  key("b");
  const id = model.get("selected");
  assert.deepEqual(model.get("breaks"), [id]);
  const at = scene.film.steps.findIndex(step => step.node === id);
  assert.equal(module.isBreak(scene.film, [id], at), true);
  assert.equal(module.isBreak(scene.film, [id], at + 1), false);
  key("Enter");
  assert.equal(model.get("step"), at);
  key("b");
  assert.deepEqual(model.get("breaks"), []);
});

test("search marks cards and counts them", () => {
  key("/");
  assert.equal(dom.window.document.activeElement.tagName, "INPUT");
  const input = root.querySelector("input");
  input.value = "sinback";
  input.dispatchEvent(new dom.window.Event("input", { bubbles: true }));
  assert.equal(root.querySelectorAll(".gi-card.hit").length, 1);
  assert.match(root.querySelector("output").textContent, /1 found/);
  key("Enter", {}, input);
  assert.match(card("SinBackward0").getAttribute("class"), /selected/);
  key("Escape", {}, input);
  assert.equal(root.querySelectorAll(".gi-card.hit").length, 0);
});

test("up and down walk along the graph", () => {
  key("ArrowDown");
  assert.equal(model.get("selected"), "n1");
  key("ArrowUp");
  assert.equal(model.get("selected"), "n0");
});

test("Python may set the step, the selection and the query", () => {
  model.push("step", 5);
  assert.equal(say().includes(scene.film.steps[5].say[0][0]), true);
  model.push("selected", "n1");
  assert.equal(root.querySelector(".gi-top b").textContent, "y");
  model.push("query", "loss");
  assert.equal(root.querySelectorAll(".gi-card.hit").length, 1);
});

test("a dead kernel does not stop the film", () => {
  const info = console.info;
  console.info = () => {};
  model.save_changes = () => { throw new Error("comm is dead"); };
  key("ArrowRight");
  assert.equal(model.get("step"), 1);
  assert.match(say(), /seed/);
  console.info = info;
});

test("the key opens and closes", () => {
  key("?");
  assert.match(root.querySelector("[role=dialog]").textContent, /break at the selected node/);
  key("Escape");
  assert.equal(root.querySelector("[role=dialog]"), null);
});

test("no press and no closing takes the focus out of the inspector", () => {
  const active = () => dom.window.document.activeElement;
  const press = label => { const button = root.querySelector(`.gi-transport [aria-label="${label}"]`); button.focus(); click(button); return button; };
  for (const [label, other] of [["To the end", "Step"], ["Step back", ""], ["Step", "To the end"], ["To the start", "Step back"]]) {
    const button = press(label);
    assert.equal(active(), button, label);
    if (label !== "Step back") assert.equal(button.getAttribute("aria-disabled"), "true", label);
    if (other && label !== "Step") assert.equal(root.querySelector(`.gi-transport [aria-label="${other}"]`).getAttribute("aria-disabled"), "true", other);
  }
  press("Step back");
  assert.equal(model.get("step"), 0);
  const help = root.querySelector('[aria-label="Keys and signs (?)"]');
  help.focus();
  click(help);
  key("Escape");
  assert.equal(active(), help);
  root.focus();
  key("?");
  key("?");
  assert.equal(active(), root);
});

test("toggles say that they are pressed", () => {
  const toggle = root.querySelector(".gi-toggle[data-name=gradients]");
  assert.equal(toggle.getAttribute("aria-pressed"), "true");
  key("g");
  assert.equal(toggle.getAttribute("aria-pressed"), "false");
});

test("zoom and fit", () => {
  const before = root.querySelector(".gi-zoom").textContent;
  key("+");
  assert.notEqual(root.querySelector(".gi-zoom").textContent, before);
  key("f");
  assert.equal(root.querySelector(".gi-zoom").textContent, before);
});

test("a finding opens the ribbon and leads to its node", () => {
  open(stale);
  assert.match(root.querySelector(".gi-find").textContent, /Backward will raise\./);
  click(root.querySelector(".gi-act button"));
  assert.equal(model.get("selected"), stale.findings[0].node);
  assert.match(root.querySelector(".gi-panel").textContent, /stale/);
  assert.match(card("MulBackward0").getAttribute("class"), /error/);
});

test("markup in a name is text", () => {
  open(evil);
  assert.equal(root.querySelector("img"), null);
  assert.match(root.textContent, /<img/);
});

test("closing leaves no listener and no timer", () => {
  key(" ");
  clean();
  assert.equal(model.listening, 0);
});
