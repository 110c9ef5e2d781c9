// What each inspector sends: it takes the inspector proper from the page's shelf, where the library has put it once.
const shelf = globalThis[Symbol.for("KEY")] ||= (() => { let fill; const filled = new Promise(done => { fill = done; }); return { filled, fill }; })();
/** A page may not have met the library: one that was loaded before it, or shows a single output. */
function fetchLibrary(model) {
  const ask = () => model.send({ library: "wanted" }), name = String(model.get("library") || "").replace("IPY_MODEL_", "");
  model.on("msg:custom", async message => {
    if (!message?.library || shelf.module) return;
    const url = URL.createObjectURL(new Blob([message.library], { type: "text/javascript" }));
    (await import(url)).default.initialize();
  });
  try { Promise.resolve(model.widget_manager.get_model(name)).catch(ask); } catch { ask(); }
}
export default {
  render(context) {
    if (shelf.module) return shelf.module.render(context);
    fetchLibrary(context.model);
    return shelf.filled.then(() => shelf.module.render(context));
  },
};
