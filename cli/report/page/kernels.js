// kernels.js - a kernel in words: its launches, what is wrong with it, on which line, what to try, and its hot lines.
const CARDS = 3;  // kernels that are told of when none is marked

let told = null;

// Findings by name of the kernel, the largest loss first.
function findingsByKernel() {
  const f = frame('findings');
  if (told || !f) return told ?? new Map();
  const texts = ['workload', 'kernel', 'rule', 'place', 'finding', 'remedy'].map((label) => labelOf(f, label)),
        loss = columnOf(f, 'loss');
  told = new Map();
  loss.forEach((lost, i) => {
    const [workload, kernel, rule, place, said, remedy] = texts.map((text) => text[i]), name = `${workload}/${kernel}`;
    told.set(name, [...(told.get(name) ?? []), {rule, place, said, remedy, loss: lost}]);
  });
  return told;
}

function linesByKernel() {
  const f = frame('lines'), lines = new Map();
  f?.names.forEach((_, i) => {
    const name = `${labelOf(f, 'workload')[i]}/${labelOf(f, 'kernel')[i]}`;
    lines.set(name, [...(lines.get(name) ?? []), i]);
  });
  return lines;
}

function details(place) {
  const f = frame('kernels'), lines = linesByKernel();
  const draw = () => {
    const marked = f.names.filter((name) => markOf(name) === 2),
          relatives = f.names.filter((name) => markOf(name) === 1);
    const chosen = marked.length ? marked : relatives.length ? relatives : heaviest(f);
    const head = marked.length || relatives.length ? 'Marked kernels' :
      chosen.length < f.names.length               ? 'The kernels with most instructions' :
                                                     'In words';
    put(
      place, el('h3', {}, head),
      el('div', {class: 'cards'}, chosen.slice(0, 12).map((name) => card(name, lines.get(name) ?? []))),
      chosen.length > 12 && el('p', {class: 'note'}, `and ${show(chosen.length - 12)} more that are marked`));
  };
  listen((what) => what === 'marks' && draw());
  draw();
}

function heaviest(f) {
  const work = frame('work'), instructions = columnOf(work, 'warp_instructions');
  const weight = (name) => instructions?.[work.index.get(name)] ?? 0;
  return f.names.length <= CARDS ? f.names : [...f.names].sort((a, b) => weight(b) - weight(a)).slice(0, CARDS);
}

function workWords(name) {
  const work = frame('work'), i = work?.index.get(name);
  if (i === undefined) return '';
  const of = (column) => columnOf(work, column)[i];
  return `${percent(of('share'))} of the program's warp instructions, ${
           plural(of('launches'), 'launch').replace(/hs$/, 'hes')} of ${of('launches') > 1 ? 'up to ' : ''}` +
    `${plural(of('blocks'), 'block')} of ${plural(of('threads'), 'thread')}`;
}

function card(name, lines) {
  const findings = findingsByKernel().get(name) ?? [];
  return el(
    'article', {class: 'card'}, el('h4', {}, name), el('p', {}, workWords(name)),
    findings.length ? el('ul', {class: 'findings'}, findings.map(finding)) :
                      frame('findings') && el('p', {class: 'good'}, 'Nothing stands out.'),
    hotLines(lines));
}

function finding(f) {
  return el(
    'li', {},
    el(
      'span', {
        class: 'loss',
        style: `--bar:${Math.min(100, 100 * f.loss).toFixed(0)}%`,
        'data-tip': `${f.rule}: ${meaningOf(f.rule)[2]}\nabout ${percent(f.loss)} of the kernel's work is in vain`
      },
      percent(f.loss)),
    el(
      'div', {}, el('b', {}, f.said), f.place && ' ', f.place && el('code', {}, f.place), el('br'),
      el('span', {class: 'try'}, `Try: ${f.remedy}.`)));
}

const LINE_COLUMNS = [
  ['share', 'instr', percent], ['lanes_mean', 'lanes', show], ['request_sectors', 'sectors', show],
  ['request_least', 'ideal', show], ['divergence', 'parting', percent]
];

function hotLines(rows) {
  if (!rows.length) return null;
  const f = frame('lines'), file = labelOf(f, 'file'), line = labelOf(f, 'line'), text = labelOf(f, 'text');
  const known = rows.some((i) => file[i]);
  const place = (i) =>
    (file[i] ? `${file[i].slice(file[i].lastIndexOf('/') + 1)}:${line[i]}` :
       line[i] === '0' ? '' :
                         line[i]);
  return el(
    'details', {open: known},
    el('summary', {}, known ? 'Hot lines' : 'Hot instructions (lines are not known: build with -lineinfo)'),
    el(
      'div', {class: 'scroll'},
      el(
        'table', {class: 'lines'},
        el(
          'thead', {},
          el(
            'tr', {},
            LINE_COLUMNS.map(
              ([name, title]) =>
                el('th', {class: 'n', scope: 'col', tabindex: 0, 'data-tip': explain(name, '')}, title)),
            el('th', {scope: 'col'}, 'line'), el('th', {scope: 'col'}, ''))),
        el(
          'tbody', {},
          rows.map(
            (i) => el(
              'tr', {}, LINE_COLUMNS.map(([name, , words]) => lineCell(name, columnOf(f, name)[i], words)),
              el('td', {'data-tip': file[i] || null}, place(i)),
              el('td', {class: 'code'}, el('code', {}, text[i]))))))));
}

const lineCell = (name, value, words) => el(
  'td', {class: 'n bar', style: name === 'share' ? `--bar:${(100 * value).toFixed(1)}%` : null},
  value === null || Number.isNaN(value) ? '·' : words(value));
