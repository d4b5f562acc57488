// compare.js - two rows side by side: values, change, and which differ most.
const OFFERED = 300;  // names in the list below a field
const COMPARED = 25;  // characteristics that are seen at first
const deviations = new Map();  // by column

// Frames whose rows can be compared.
const comparable = () => [['kernels', 'kernels'], ['all', 'workloads'], ['rows', 'rows']].filter(
  ([name]) => frame(name)?.names.length > 1);

function comparison(place) {
  const frames = comparable();
  if (!frames.length) return place.append(el('p', {}, 'There is one row, and nothing to compare it with.'));
  const first = frames.some(([name]) => name === about.table) ? about.table : frames[0][0];
  const c = {all: false, table: el('div'), list: el('datalist', {id: 'names'})};
  c.kind = select('Of', frames, first, (name) => compareRowsOf(c, name));
  c.fields = ['a', 'b'].map((key) => compareField(c, key));
  place.append(
    el('div', {class: 'tools', role: 'group', 'aria-label': 'Rows to compare'}, c.kind, ...c.fields, c.list), c.table);
  compareRowsOf(c, first);
  listen((what) => what === 'marks' && followMarks(c));
}

function compareField(c, key) {
  return el('input', {
    list: 'names',
    'aria-label': key === 'a' ? 'First row' : 'Second row',
    class: 'name',
    oninput: (event) => offer(c, event.target.value),
    onchange: (event) => choose(c, key, event.target.value)
  });
}

// Compares two rows of a frame, the first ones when none are named.
function compareRowsOf(c, name, pair = frame(name).names.slice(0, 2)) {
  c.f = frame(name);
  [c.a, c.b] = pair;
  c.kind.querySelector('select').value = name;
  c.fields.forEach((field, i) => {
    field.value = pair[i];
    field.removeAttribute('aria-invalid');
  });
  offer(c, '');
  drawComparison(c);
}

function offer(c, text) {
  const part = text.toLowerCase(), wanted = part ? c.f.names.filter((name) => name.toLowerCase().includes(part)) : [];
  put(c.list, ...(wanted.length > 1 ? wanted : c.f.names).slice(0, OFFERED).map((name) => el('option', {value: name})));
}

function choose(c, key, name) {
  const known = c.f.index.has(name);
  c.fields[key === 'a' ? 0 : 1].setAttribute('aria-invalid', !known);
  if (!known) return;
  c[key] = name;
  drawComparison(c);
}

// The last two rows of a kind that are marked are compared.
function followMarks(c) {
  const pairs =
    comparable().map(([name]) => ({name, pair: [...state.marks].filter((row) => frame(name).index.has(row))}));
  const {name, pair} = pairs.find(({name, pair}) => pair.length > 1 && pair.at(-1) === [...state.marks].at(-1)) ?? {};
  if (name) compareRowsOf(c, name, pair.slice(-2));
}

// Standard deviation of what a column has; NaN of fewer than three values. Worked out once, for columns may be long.
function deviationOf(value) {
  if (!deviations.has(value)) {
    let n = 0, sum = 0, squares = 0;
    for (const v of value)
      if (finite(v)) {
        n++;
        sum += v;
      }
    for (const v of value)
      if (finite(v)) squares += (v - sum / n) ** 2;
    deviations.set(value, n < 3 ? NaN : Math.sqrt(squares / (n - 1)));
  }
  return deviations.get(value);
}

// How far apart: in standard deviations of all rows, or, of fewer than three, as a part of the larger one.
function distance(value, x, y) {
  if (!finite(x) || !finite(y) || x === y) return finite(x) && finite(y) ? 0 : -1;
  const deviation = deviationOf(value);
  return Math.abs(x - y) / (Number.isNaN(deviation) ? Math.max(Math.abs(x), Math.abs(y)) : deviation);
}

function compared(c) {
  const [i, j] = [c.f.index.get(c.a), c.f.index.get(c.b)];
  return c.f.columns
    .map((column, n) => ({
           column,
           x: c.f.value[n][i],
           y: c.f.value[n][j],
           far: distance(c.f.value[n], c.f.value[n][i], c.f.value[n][j])
         }))
    .filter(({far}) => far >= 0)
    .sort((p, q) => q.far - p.far);
}

function change(x, y) {
  if (x === y) return 'same';
  if (!x) return 'from 0';
  return `${y > x ? '+' : '−'}${percent(Math.abs((y - x) / x))}`;
}

function drawComparison(c) {
  const rows = compared(c), most = rows[0]?.far || 1,
        unit = c.f.names.length < 3 ? 'difference, of the larger' : 'difference, in standard deviations';
  const line = ({column, x, y, far}) => el(
    'tr', {},
    el(
      'th', {scope: 'row'},
      el('span', {tabindex: 0, 'data-tip': explain(column.name, column.unit)}, breakable(column.name)),
      column.unit && el('span', {class: 'unit'}, ` ${column.unit}`)),
    [x, y].map((v) => el('td', {class: 'n'}, show(v))), el('td', {class: 'n'}, change(x, y)),
    el('td', {class: 'n bar', style: `--bar:${(100 * far / most).toFixed(1)}%`}, far ? far.toFixed(2) : '0'));
  const shown = c.all ? rows : rows.slice(0, COMPARED);
  put(
    c.table,
    el(
      'div', {class: 'scroll'},
      el(
        'table', {class: 'explore'},
        el(
          'thead', {},
          el(
            'tr', {},
            [['characteristic', ''], [c.a, 'n'], [c.b, 'n'], ['change', 'n'], [unit, 'n']].map(
              ([text, kind]) => el('th', {scope: 'col', class: kind}, breakable(text))))),
        el('tbody', {}, shown.map(line)))),
    el(
      'p', {class: 'note'},
      `${show(rows.filter(({far}) => far === 0).length)} of ${show(rows.length)} characteristics are the same. `,
      rows.length > COMPARED &&
        el(
          'button', {
            type: 'button',
            onclick: () => {
              c.all = !c.all;
              drawComparison(c);
            }
          },
          c.all ? 'Show those that differ most' : `Show all ${show(rows.length)}`)));
}
