// Sorts a table by a column of its header, and hides the rows that lack what is typed.
(() => {
  const value = cell => cell && cell.dataset.value ? +cell.dataset.value : NaN;
  for (const table of document.querySelectorAll('table.sortable')) {
    const body = table.tBodies[0];
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (!head.textContent) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const up = head.getAttribute('aria-sort') !== 'ascending';
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        const rows = [...body.rows], sign = up ? 1 : -1;
        rows.sort((a, b) => {
          const cells = [a.cells[place], b.cells[place]], [x, y] = cells.map(value);
          if (!isNaN(x) && !isNaN(y)) return sign * (x - y);
          if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
          // What is unknown stands last, whichever way.
          const [one, other] = cells.map(cell => cell.textContent.replace(/^—$/, ''));
          return one && other ? sign * one.localeCompare(other) : !one - !other;
        });
        body.append(...rows);
      });
    });
  }
  const filter = document.getElementById('filter');
  if (!filter) return;
  filter.closest('.filter').hidden = false;
  filter.addEventListener('input', () => {
    const words = filter.value.trim().toLowerCase().split(/ +/);
    let shown = 0;
    for (const row of document.querySelectorAll('#figures tbody tr')) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    document.getElementById('shown').textContent = filter.value ? shown + (shown === 1 ? ' row' : ' rows') : '';
  });
})();
