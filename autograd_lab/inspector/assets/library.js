// What is sent once for all inspectors of a kernel: it puts the inspector proper and its style sheet into the page.
export default {
  initialize(context) {
    keepPictures(context?.model.widget_manager);
    const shelf = globalThis[Symbol.for("KEY")] ||= (() => { let fill; const filled = new Promise(done => { fill = done; }); return { filled, fill }; })();
    if (shelf.module) return;
    document.head.append(Object.assign(document.createElement("style"), { textContent: STYLES }));
    shelf.module = { render };
    shelf.fill();
  },
  render() {},
};
