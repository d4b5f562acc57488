// heatmap.js - every characteristic of every row, in standard deviations from the mean; rows in the order of the tree.
const HEAT_ROWS = 150, HEAT_COLUMNS = 400;  // what is drawn of more is an even sample
const CELL = {
  least: 11,
  height: 15,
  top: 118,
  right: 64
};                              // pixels; names of columns lean over the last
const LEVELS = 10, BEYOND = 3;  // steps of colour on either side; standard deviations of the last

function heatmap(place) {
  const f = frame('standard');
  const h = {
    f,
    canvas: el('div', {class: 'canvas wide', tabindex: 0, role: 'region', 'aria-label': 'Heatmap'}),
    caption: el('figcaption'),
    columns: sample(f.columns.length, HEAT_COLUMNS),
    cursor: null
  };
  place.append(el('figure', {class: 'live'}, h.canvas, h.caption));
  drawToFit(h.canvas, (width) => drawHeat(h, width));
  listen((what) => (what === 'cut' ? drawHeat(h, h.canvas.clientWidth) : showMarks(h.canvas)));
}

function drawHeat(h, width) {
  const cut = clusters(), order = leavesOf(cut.tree, 2 * cut.tree.n - 2);
  h.rows = sample(order.length, HEAT_ROWS).map((i) => order[i]);
  h.left = Math.min(width * 0.34, 16 + LETTER * Math.max(...h.rows.map((i) => Math.min(h.f.names[i].length, LONG))));
  h.cell = Math.max(CELL.least, Math.floor((width - h.left - CELL.right) / h.columns.length));
  const full = Math.ceil(h.left + h.columns.length * h.cell + CELL.right),
        height = CELL.top + h.rows.length * CELL.height + 6;
  h.picture = svg(
    'svg', {
      viewBox: `0 0 ${full} ${height}`,
      width: full,
      height,
      role: 'group',
      'aria-label': heatWords(h),
      'data-tips': true
    },
    heatCells(h),
    h.columns.map(
      (j, c) => svg(
        'text', {
          class: 'column',
          transform: `translate(${h.left + (c + 0.5) * h.cell + 4} ${CELL.top - 6}) rotate(-60)`,
          'data-tip': explain(h.f.columns[j].name, h.f.columns[j].unit)
        },
        shorten(h.f.columns[j].name, 19))),
    h.rows.map((i, r) => heatRow(h, cut, i, r)));
  h.picture.addEventListener('pointermove', (event) => heatTip(h, event));
  h.picture.addEventListener('pointerleave', hideTip);
  put(h.canvas, h.picture);
  h.caption.textContent = `Blue: below the mean, orange: above it; full colour from ${
                            BEYOND} standard deviations on. Click a name to mark its row.` +
    (h.rows.length < order.length ? ` Drawn are ${h.rows.length} of ${show(order.length)} rows.` : '') +
    (h.columns.length < h.f.columns.length ? ` Drawn are ${h.columns.length} of ${h.f.columns.length} columns.` : '');
  showMarks(h.canvas);
}

// One path for each step of colour: however many cells, a few elements.
function heatCells(h) {
  const paths = new Map();
  h.rows.forEach((i, r) => h.columns.forEach((j, c) => {
    const value = h.f.value[j][i];
    if (!finite(value)) return;
    const level = Math.round(Math.min(1, Math.abs(value) / BEYOND) * LEVELS);
    if (!level) return;
    const key = `${value < 0 ? 'low' : 'high'} ${level}`;
    paths.set(
      key,
      `${paths.get(key) ?? ''}M${h.left + c * h.cell},${CELL.top + r * CELL.height}h${h.cell - 1}v${CELL.height - 1}h${
        1 - h.cell}z`);
  }));
  const ground = svg('rect', {
    class: 'ground',
    x: h.left,
    y: CELL.top,
    width: h.columns.length * h.cell - 1,
    height: h.rows.length * CELL.height - 1
  });
  return [
    ground,
    ...[...paths].map(
      ([key, d]) => svg('path', {class: key.split(' ')[0], 'fill-opacity': Number(key.split(' ')[1]) / LEVELS, d}))
  ];
}

function heatRow(h, cut, i, r) {
  const name = h.f.names[i], y = CELL.top + r * CELL.height, act = () => mark(name);
  return svg(
    'g', {
      class: `leaf ${colour(cut.cluster[i])}`,
      'data-name': name,
      role: 'button',
      tabindex: 0,
      'aria-pressed': false,
      'aria-label': `${name}${heatExtremes(h, i)}`,
      onclick: act,
      onkeydown: press(act)
    },
    svg('rect', {class: 'frame', x: h.left, y: y - 0.5, width: h.columns.length * h.cell - 1, height: CELL.height}),
    svg(
      'text', {x: h.left - 6, y: y + 11.5, 'text-anchor': 'end'},
      shorten(name, Math.max(4, Math.floor((h.left - 12) / LETTER)))));
}

// Where a row is farthest from the mean, in words.
function heatExtremes(h, i) {
  const far = h.columns.filter((j) => finite(h.f.value[j][i]))
                .sort((a, b) => Math.abs(h.f.value[b][i]) - Math.abs(h.f.value[a][i]))
                .slice(0, 3);
  return far.map((j) => `, ${h.f.columns[j].name} ${h.f.value[j][i].toFixed(1)}`).join('');
}

function heatTip(h, event) {
  const box = h.picture.getBoundingClientRect();
  const c = Math.floor((event.clientX - box.left - h.left) / h.cell),
        r = Math.floor((event.clientY - box.top - CELL.top) / CELL.height);
  if (c < 0 || r < 0 || c >= h.columns.length || r >= h.rows.length)
    return event.target.closest('[data-tip]') || hideTip();
  const column = h.f.columns[h.columns[c]], name = h.f.names[h.rows[r]], value = h.f.value[h.columns[c]][h.rows[r]];
  const raw = columnOf(frame('map'), column.name)?.[frame('map').index.get(name)];
  return showTip(
    `${name}\n${explain(column.name, column.unit)}\n${value < 0 ? '−' : '+'}${
      Math.abs(value).toFixed(2)} standard deviations; value ${show(raw)}`,
    event.clientX, event.clientY);
}

const heatWords = (h) =>
  `Heatmap of ${h.rows.length} rows and ${h.columns.length} characteristics, in standard deviations from the mean`;
