// table.js - frames as tables: sorted, searched, filtered, in pages, with bars in cells.
const PAGE = 20;
const tables = new Map();  // by frame, for links to rows
const PREFIX = {
  all: 'w',
  kernels: 'k',
  rows: 'r'
};  // of ids of rows

// Columns that are seen at first, as far as a frame has them.
const FIRST = {
  kernels: [
    'stands out', 'share', 'launches', 'warp_instructions', 'blocks', 'threads', 'simd_efficiency', 'branch_divergent',
    'coal_global_load_32', 'coal_bank_slowdown', 'balance_block_cv', 'evaluation_ai_mixed'
  ],
  all: [
    'cluster', 'kernels', 'K_n', 'I_total', 'T_total', 'simd_efficiency', 'branch_divergent', 'coal_global_load_32',
    'coal_bank_slowdown', 'evaluation_ai_mixed'
  ],
};
const COMPARISONS = {
  '≥': (a, b) => a >= b,
  '≤': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '=': (a, b) => a === b
};

// Columns of a table: {name, unit, tip, text: whether it is one, get(i)}.
function tableColumns(f) {
  const own = f.columns.map(
    (c, j) => ({name: c.name, unit: c.unit, group: c.group, tip: explain(c.name, c.unit), get: (i) => f.value[j][i]}));
  return [...extraColumns(f), ...own];
}

function extraColumns(f) {
  const extra = [];
  if (about.map && f.name === about.table)
    extra.push({
      name: 'cluster',
      unit: '',
      tip: 'cluster of the map as it is cut now; a ring: stands for it',
      get: (i) => clusterOf(f.names[i]).cluster || null,
      cell: (i) => clusterCell(f.names[i])
    });
  if (f.name === 'all') extra.push({name: 'kernels', unit: '', tip: 'kernels of the workload', get: countKernels(f)});
  return f.name === 'kernels' ? [...extra, ...kernelColumns(f)] : extra;
}

function clusterCell(name) {
  const {cluster, stands} = clusterOf(name);
  const words = stands ? `stands for cluster ${cluster}` : null;
  return cluster ? el(
                     'td', {class: 'n'}, el('span', {
                       class: `dot ${colour(cluster)}${stands ? ' stands' : ''}`,
                       role: words && 'img',
                       'aria-label': words,
                       'data-tip': words
                     }),
                     ` ${cluster}`) :
                   el('td', {class: 'n'}, '–');
}

function countKernels(f) {
  const counts = new Map();
  for (const workload of labelOf(frame('kernels'), 'workload')) counts.set(workload, (counts.get(workload) ?? 0) + 1);
  return (i) => counts.get(f.names[i]) ?? 0;
}

function kernelColumns(f) {
  const work = frame('work'), findings = findingsByKernel();
  const joined = (work?.columns ?? []).map((c, j) => ({
                                             name: c.name,
                                             unit: c.unit,
                                             group: 'work',
                                             tip: explain(c.name, c.unit),
                                             get: (i) => work.value[j][work.index.get(f.names[i])] ?? null
                                           }));
  const worst = {
    name: 'stands out',
    unit: '',
    text: true,
    tip: 'what is wrong, the largest loss first (click the row for more)',
    get: (i) => findings.get(f.names[i])?.[0]?.said ?? ''
  };
  return findings.size ? [worst, ...joined] : joined;
}

// ---------------------------------------------------------------- rows in order

const least = (column, i) => {
  const value = column.get(i);
  return column.text ? value || null : Number.isNaN(value) ? null : value;
};

// What is missing comes last, whichever way.
function compareBy(column, down) {
  const turn = down ? -1 : 1;
  return (a, b) => {
    const x = least(column, a), y = least(column, b);
    if (x === null || y === null) return (x === null) - (y === null) || a - b;
    return (x < y ? -turn : x > y ? turn : 0) || a - b;
  };
}

function chooseRows(t) {
  const words = t.query.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = (i) => words.every((word) => t.search(i).includes(word));
  const value = (i) => exactly(t.filter.column.get(i), t.f.digits);
  const passes = t.filter ? (i) => finite(value(i)) && COMPARISONS[t.filter.by](value(i), t.filter.value) : () => true;
  t.rows = t.f.names.map((_, i) => i).filter((i) => wanted(i) && passes(i) && (!t.marked || markOf(t.f.names[i])));
  if (t.sort) t.rows.sort(compareBy(t.sort.column, t.sort.down));
  t.page = 0;
}

// Largest magnitude of a column, for bars.
function scaleOf(t, column) {
  if (!t.scales.has(column)) {
    let most = 0;
    for (let i = 0; i < t.f.names.length; i++) {
      const value = column.get(i);
      if (finite(value) && Math.abs(value) > most) most = Math.abs(value);
    }
    t.scales.set(column, most);
  }
  return t.scales.get(column);
}

// ---------------------------------------------------------------- elements

// A unit that the name says, or the cells (a share is in percent), is not said again.
const unitOf = ({name, unit}) => (unit === name || name === 'share' ? '' : unit);

function heading(t, column) {
  const sorted = t.sort?.column === column;
  const direction = sorted ? (t.sort.down ? 'descending' : 'ascending') : 'none';
  const turn = () => {
    t.sort = {column, down: sorted ? !t.sort.down : !column.text};
    chooseRows(t);
    drawTable(t, column);
  };
  return el(
    'th', {scope: 'col', class: column.text ? 'text' : 'n', 'aria-sort': direction},
    el(
      'button', {type: 'button', 'data-tip': column.tip, 'data-column': column.name, onclick: turn},
      breakable(column.name), unitOf(column) && el('span', {class: 'unit'}, ` ${unitOf(column)}`),
      el('span', {class: 'arrow', 'aria-hidden': 'true'}, sorted ? (t.sort.down ? ' ▾' : ' ▴') : '')));
}

function cell(t, column, i) {
  if (column.cell) return column.cell(i);
  const value = column.get(i);
  if (column.text) return el('td', {class: 'text'}, value);
  if (column.name === 'cluster') return el('td', {class: 'n'}, show(value));
  const bar =
    t.f.names.length > 1 && finite(value) && scaleOf(t, column) ? 100 * Math.abs(value) / scaleOf(t, column) : 0;
  return el(
    'td', {class: value < 0 ? 'n bar below' : 'n bar', style: `--bar:${bar.toFixed(1)}%`},
    column.name === 'share' ? percent(value) : show(value));
}

function tableRow(t, i) {
  const name = t.f.names[i], [full, description] = t.f.name === 'all' ? about.names[name] ?? [] : [];
  const toggle = (event) => {
    if (!window.getSelection().toString()) mark(name);
    event.stopPropagation();
  };
  return el(
    'tr', {id: `${PREFIX[t.f.name]}-${name}`, 'data-name': name, onclick: toggle},
    el(
      'th', {scope: 'row'},
      el(
        'button', {
          type: 'button',
          class: 'row',
          'data-name': name,
          'aria-pressed': false,
          'data-tip': [name, full && `${full}: ${description}`].filter(Boolean).join('\n'),
          onclick: toggle
        },
        breakable(name)),
      full && el('small', {}, full)),
    t.shown.map((column) => cell(t, column, i)));
}

function pager(t) {
  const pages = Math.ceil(t.rows.length / PAGE);
  const go = (page) => () => {
    t.page = page;
    drawTable(t);
  };
  if (pages < 2) return '';
  return el(
    'nav', {class: 'pager', 'aria-label': 'Pages'},
    el('button', {type: 'button', disabled: t.page === 0, onclick: go(t.page - 1)}, '‹ before'),
    el('span', {}, `page ${show(t.page + 1)} of ${show(pages)}`),
    el('button', {type: 'button', disabled: t.page + 1 >= pages, onclick: go(t.page + 1)}, 'next ›'));
}

function drawTable(t, focus) {
  const first = t.page * PAGE;
  put(
    t.head,
    el(
      'tr', {}, el('th', {scope: 'col'}, heading(t, t.named).firstChild), t.shown.map((column) => heading(t, column))));
  t.head.firstChild.firstChild.setAttribute(
    'aria-sort', t.sort?.column === t.named ? (t.sort.down ? 'descending' : 'ascending') : 'none');
  put(t.body, ...t.rows.slice(first, first + PAGE).map((i) => tableRow(t, i)));
  t.count.textContent = t.rows.length === t.f.names.length ?
    plural(t.rows.length, t.word) :
    `${show(t.rows.length)} of ${plural(t.f.names.length, t.word)}`;
  put(t.pages, pager(t));
  if (focus) t.head.querySelector(`[data-column="${CSS.escape(focus.name)}"]`)?.focus();
  showMarks(t.body);
}

// ---------------------------------------------------------------- controls

function redraw(t) {
  chooseRows(t);
  drawTable(t);
}

function filterControls(t) {
  const numbers = t.columns.filter((column) => !column.text);
  const wanted = {column: t.shown.find((column) => !column.text && column !== t.named), by: '≥', value: ''};
  const apply = () => {
    t.filter = wanted.value === '' || !wanted.column ? null : {...wanted, value: Number(wanted.value)};
    redraw(t);
  };
  const choose = (key, of = (v) => v) => (value) => {
    wanted[key] = of(value);
    apply();
  };
  return [
    select(
      'Where', numbers.map((c) => [c.name, c.name]), wanted.column?.name,
      choose('column', (name) => numbers.find((c) => c.name === name))),
    select('', Object.keys(COMPARISONS).map((by) => [by, by]), '≥', choose('by')), el('input', {
      type: 'number',
      step: 'any',
      class: 'value',
      'aria-label': 'Value to compare with',
      placeholder: 'value',
      oninput: (event) => choose('value')(event.target.value)
    })
  ];
}

function columnControls(t) {
  const box = (column) => el(
    'label', {'data-tip': column.tip}, el('input', {
      type: 'checkbox',
      checked: t.shown.includes(column),
      onchange: (event) => {
        t.shown = event.target.checked ? [...t.shown, column] : t.shown.filter((c) => c !== column);
        drawTable(t);
      }
    }),
    ` ${column.name}`);
  const list = el('div', {class: 'columns'});
  return el(
    'details', {class: 'picker', ontoggle: () => list.childElementCount || list.append(...t.columns.map(box))},
    el('summary', {}, 'Columns'), list);
}

function table(place, f) {
  const columns = tableColumns(f), named = {
    name: f.name === 'all'        ? 'workload' :
      f.labels.includes('kernel') ? 'kernel' :
                                    f.labels[0],
    unit: '',
    text: true,
    tip: 'name; click a row to mark it everywhere',
    get: (i) => f.names[i]
  };
  const first = (FIRST[f.name] ?? []).map((name) => columns.find((column) => column.name === name)).filter(Boolean);
  const t = {
    f,
    columns,
    named,
    shown: first.length ? first : columns.slice(0, 8),
    query: '',
    filter: null,
    marked: false,
    sort: null,
    page: 0,
    scales: new Map(),
    word: f.name === 'all' ? 'workload' :
      f.name === 'kernels' ? 'kernel' :
                             'row'
  };
  const said = columns.filter((column) => column.text);
  t.search =
    (i) => [f.names[i], ...(f.name === 'all' ? about.names[f.names[i]] ?? [] : []), ...said.map((c) => c.get(i))]
             .join('\n')
             .toLowerCase();
  const heaviest = columns.find((column) => column.name === 'warp_instructions');
  t.sort = f.name === 'kernels' && heaviest ? {column: heaviest, down: true} : null;
  tables.set(f.name, t);
  buildTable(t, place);
}

function buildTable(t, place) {
  t.place = place;
  t.head = el('thead');
  t.body = el('tbody');
  t.count = el('span', {class: 'count', 'aria-live': 'polite'});
  t.pages = el('div');
  place.append(
    el(
      'div', {class: 'tools', role: 'group', 'aria-label': `Table of ${t.word}s`}, el('input', {
        type: 'search',
        placeholder: `Search ${t.word}s`,
        'aria-label': `Search ${t.word}s`,
        oninput: (event) => {
          t.query = event.target.value;
          redraw(t);
        }
      }),
      filterControls(t),
      el(
        'label', {}, el('input', {
          type: 'checkbox',
          onchange: (event) => {
            t.marked = event.target.checked;
            redraw(t);
          }
        }),
        ' marked only'),
      el(
        'button', {
          type: 'button',
          onclick: () => save(`${t.f.name}.csv`, toCsv(t.f, t.rows)),
          'data-tip': 'These rows with all columns'
        },
        'CSV'),
      t.count),
    columnControls(t),
    el(
      'div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${t.word}s`},
      el('table', {class: 'explore'}, t.head, t.body)),
    t.pages, leftOut(t.f) && el('p', {class: 'note'}, leftOut(t.f)));
  redraw(t);
  listen((what) => {
    if (what === 'cut')
      drawTable(t);
    else if (t.marked)
      redraw(t);
    else
      showMarks(t.body);
  });
}

// Without search and filters.
function showAll(t) {
  Object.assign(t, {query: '', filter: null, marked: false});
  t.place.querySelectorAll('.tools input[type=search], .tools input.value').forEach((field) => {
    field.value = '';
  });
  t.place.querySelectorAll('.tools input[type=checkbox]').forEach((box) => {
    box.checked = false;
  });
  redraw(t);
}

// Turns to the page of a row and shows it; false when there is none.
function reveal(t, name) {
  if (!t.f.index.has(name)) return false;
  if (!t.rows.includes(t.f.index.get(name))) showAll(t);
  t.page = Math.floor(t.rows.indexOf(t.f.index.get(name)) / PAGE);
  drawTable(t);
  document.getElementById(`${PREFIX[t.f.name]}-${name}`).scrollIntoView({block: 'center'});
  return true;
}
