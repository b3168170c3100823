// Zooms into a box of a flame graph, finds functions by their names, and moves by keys.
(() => {
  const graph = document.getElementById('graph'), detail = document.getElementById('detail');
  const boxes = [...graph.querySelectorAll('.box')].map(element => ({
    element, x: +element.dataset.x, w: +element.dataset.w, d: +element.dataset.d }));
  const tools = document.getElementById('tools'), search = document.getElementById('search');
  const found = document.getElementById('found'), slack = 1e-6;
  let zoomed = boxes[0], focused = boxes[0];
  if (!boxes.length) return;
  tools.hidden = false;
  const within = (a, b) => a.x >= b.x - slack && a.x + a.w <= b.x + b.w + slack;
  const isShown = box => box.d < zoomed.d ? within(zoomed, box) : within(box, zoomed);
  function show() {
    for (const box of boxes) {
      const shown = isShown(box), above = box.d < zoomed.d;
      box.element.toggleAttribute('hidden', !shown);
      box.element.style.display = shown ? '' : 'none';
      if (!shown) continue;
      const x = above ? 0 : (box.x - zoomed.x) / zoomed.w, w = above ? 1 : box.w / zoomed.w;
      box.element.setAttribute('x', x * 100 + '%');
      box.element.setAttribute('width', Math.max(w, 0) * 100 + '%');
      box.element.classList.toggle('dim', above);
    }
  }
  function focus(box) {
    if (!box) return;
    focused.element.setAttribute('tabindex', '-1');
    focused = box;
    box.element.setAttribute('tabindex', '0');
    box.element.focus();
  }
  function zoom(box) { zoomed = box; show(); focus(box); }
  function tell(box) { detail.textContent = box.element.getAttribute('aria-label'); }
  function near(box, key) {
    const shown = boxes.filter(isShown);
    if (key === 'ArrowUp') return shown.find(b => b.d === box.d - 1 && within(box, b));
    if (key === 'ArrowDown') return shown.find(b => b.d === box.d + 1 && within(b, box));
    const row = shown.filter(b => b.d === box.d).sort((a, b) => a.x - b.x), at = row.indexOf(box);
    return row[at + (key === 'ArrowRight' ? 1 : -1)];
  }
  for (const box of boxes) {
    box.element.addEventListener('click', () => zoom(box));
    box.element.addEventListener('focus', () => { focused = box; tell(box); });
    box.element.addEventListener('mouseenter', () => tell(box));
    box.element.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); zoom(box); }
      else if (event.key.startsWith('Arrow')) { event.preventDefault(); focus(near(box, event.key)); }
    });
  }
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') zoom(boxes[0]);
    if (event.key === '/' && event.target !== search) { event.preventDefault(); search.focus(); }
  });
  document.getElementById('reset').addEventListener('click', () => zoom(boxes[0]));
  tools.addEventListener('submit', event => event.preventDefault());
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase();
    let hits = [];
    for (const box of boxes) {
      const hit = wanted && box.element.querySelector('text').textContent.toLowerCase().includes(wanted);
      box.element.classList.toggle('hit', !!hit);
      if (hit) hits.push(box);
    }
    const outer = hits.filter(box => !hits.some(other => other.d < box.d && within(box, other)));
    const share = outer.reduce((sum, box) => sum + box.w, 0);
    const noun = hits.length === 1 ? ' box, ' : ' boxes, ';
    found.textContent = wanted ? hits.length + noun + (share * 100).toFixed(1) + ' % of the whole' : '';
  });
})();
