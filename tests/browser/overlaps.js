// Texts of the canvas that lie on one another, and texts that leave their card; both lists empty when all is well.
root => {
  const found = [], box = node => node.getBoundingClientRect();
  const texts = [...root.querySelectorAll(".gi-card text, .gi-chip text, .gi-reference text")].filter(node => node.textContent.trim());
  const boxes = texts.map(box);
  for (let i = 0; i < texts.length && i < 400; i++) {
    for (let j = i + 1; j < texts.length && j < 400; j++) {
      const a = boxes[i], b = boxes[j], wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1.5 && high > 4) found.push(`${texts[i].textContent} on ${texts[j].textContent}`);
    }
  }
  for (const node of root.querySelectorAll(".gi-card")) {
    const card = box(node.querySelector(".gi-box"));
    for (const text of node.querySelectorAll(".gi-name, .gi-shape, .gi-op, .gi-dtype, .gi-left, .gi-right")) {
      const inner = box(text);
      if (text.textContent && (inner.left < card.left - 1 || inner.right > card.right + 1)) found.push(`${text.textContent} leaves its card`);
    }
  }
  return found;
}
