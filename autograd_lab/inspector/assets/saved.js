// What a saved notebook keeps: without its kernel no widget comes to life, so the file holds picture and words instead.
// @ts-check
const VIEW = "application/vnd.jupyter.widget-view+json", STATE = "application/vnd.jupyter.widget-state+json";
const ASIDE = "autograd_lab_view";                        // where an output's metadata keep its widget

/** The notebook as a file: a widget that has a described picture beside it, and no saved state, steps aside. @param {any} content */
export function withoutViews(content) {
  const states = content.metadata?.widgets?.[STATE]?.state || {};
  const still = (/** @type {any} */ output) => {
    const { [VIEW]: view, ...data } = output.data || {};
    if (!view || !data["image/png"] || !output.metadata?.["image/png"]?.alt || view.model_id in states) return output;
    return { ...output, data, metadata: { ...output.metadata, [ASIDE]: view } };
  };
  return { ...content, cells: content.cells.map((/** @type {any} */ cell) => cell.outputs ? { ...cell, outputs: cell.outputs.map(still) } : cell) };
}
/** A page that is loaded again while the kernel lives: the widgets that stepped aside are shown again. @param {any} notebook @param {any} manager */
function bringBack(notebook, manager) {
  for (let i = 0; i < notebook.cells.length; i++) {
    const { outputs } = notebook.cells.get(i);
    for (let j = 0; j < (outputs?.length || 0); j++) {
      const { [ASIDE]: view, ...metadata } = outputs.get(j).metadata || {};
      if (view && manager.has_model(view.model_id)) {
        const output = outputs.get(j).toJSON();
        outputs.set(j, { ...output, data: { [VIEW]: view, ...output.data }, metadata });
      }
    }
  }
}
/** Jupyter asks the notebook for its file; other hosts have no such notebook and are left alone. @param {any} manager */
export function keepPictures(manager) {
  const notebook = manager?.context?.model;
  if (!notebook?.cells?.get || typeof notebook.toJSON !== "function" || typeof manager.has_model !== "function") return;
  if (!Object.hasOwn(notebook, "toJSON")) {
    const whole = notebook.toJSON.bind(notebook);
    notebook.toJSON = () => withoutViews(whole());
  }
  bringBack(notebook, manager);
}
