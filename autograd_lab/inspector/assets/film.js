// Where a film stands: the changes of its steps laid over one another, and the step to go to.
// @ts-check
/** @typedef {{kind: string, node: string|null, edge: string|null, bad: boolean, say: [string, string][], spoken: string, set: [string, string, any][]}} Step */

/** Lay the changes of the first `step` steps over one another. @param {any} film @param {number} step */
export function stateAt(film, step) {
  /** @type {Record<string, Record<string, any>>} */
  const state = { edges: {}, cards: {}, leaves: {}, freed: {} };
  lay(state, film, 0, step);
  return state;
}
/** @param {Record<string, Record<string, any>>} state @param {any} film @param {number} from @param {number} to */
export function lay(state, film, from, to) {
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
