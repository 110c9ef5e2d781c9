// The lowest contrast of any text in the widget against the nearest background, or card, under it.
root => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = node => {
    if (node instanceof SVGElement && node.closest("g.gi-card, g.gi-chip, g.gi-reference")) {
      const box = node.closest("g.gi-card, g.gi-chip, g.gi-reference"), foot = box.querySelector(".gi-foot");
      const shape = foot && (node.matches(".gi-left, .gi-right")) ? foot : box.querySelector(".gi-box, rect");
      const fill = rgb(getComputedStyle(shape).fill);
      if (fill[3] === 255) return fill;
    }
    for (let at = node; at; at = at.parentElement) { const found = rgb(getComputedStyle(at).backgroundColor); if (found[3] === 255) return found; }
    return [255, 255, 255];
  };
  let worst = {ratio: 99};
  for (const node of root.querySelectorAll("*")) {
    const text = [...node.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
    const box = node.getBoundingClientRect();
    if (!text || !box.width || node.closest(".gi-unseen, title")) continue;
    const style = getComputedStyle(node), ink = rgb(node instanceof SVGElement ? style.fill : style.color), ground = behind(node);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < worst.ratio) worst = {ratio, text, ink, ground, where: node.getAttribute("class") || node.tagName};
  }
  return worst;
}
