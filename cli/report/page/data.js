// data.js - the frames of the page: what are rows called, what do columns mean, and how does a frame become CSV again?
const about = JSON.parse(document.getElementById('about').textContent);
const frames = new Map();

// Text labels of a row that name it, joined by '/'; a name that is there already gets a number.
function nameRows(f) {
  const parts = f.label.filter((_, l) => f.labels[l] !== 'mangled');
  const join = (i) => parts.map((part) => part[i]).filter((text) => text !== '').join('/');
  const name = parts.length === 1 ? (i) => parts[0][i] : join;  // most frames have one label, and some very many rows
  const times = new Map();
  return f.label[0].map((_, i) => {
    const plain = name(i), before = times.get(plain) ?? 0;
    times.set(plain, before + 1);
    return before ? `${plain} #${before + 1}` : plain;
  });
}

function prepare(f) {
  f.names = nameRows(f);
  f.index = new Map();
  f.names.forEach((text, i) => f.index.set(text, i));
  f.at = new Map(f.columns.map((column, j) => [column.name, j]));
  return f;
}

// The frame of that name, or null. It is read when somebody asks for it first.
function frame(name) {
  if (!frames.has(name)) {
    const element = document.getElementById(`frame-${name}`);
    frames.set(name, element ? prepare(JSON.parse(element.textContent)) : null);
  }
  return frames.get(name);
}

const frameNames =
  () => [...document.querySelectorAll('script.frame')].map((element) => element.id.slice('frame-'.length));

const columnOf = (f, name) => (f && f.at.has(name) ? f.value[f.at.get(name)] : null);

// The texts of a label column.
const labelOf = (f, name) => f.label[f.labels.indexOf(name)];

function meaningOf(name) {
  if (/^PC\d+$/.test(name)) return ['', '', 'principal component: characteristics that go together, in one number'];
  return about.meanings[name] ?? about.meanings[name.replace(/_\d+$/, '')] ?? ['', '', ''];
}

// For hints: name, unit and definition.
function explain(name, unit) {
  const [group, known, text] = meaningOf(name);
  const head = [name, unit || known ? `(${unit || known})` : '', group ? `· ${group}` : ''].filter(Boolean).join(' ');
  return text ? `${head}\n${text}` : head;
}

// What the page leaves out of a frame, in words; empty when that is nothing.
function leftOut(f) {
  const parts = [];
  if (f.step > 1) parts.push(`${show(f.names.length)} of ${show(f.rows)} rows, evenly spaced`);
  if (f.columns.length < f.wholeColumns) parts.push(`${f.columns.length} of ${f.wholeColumns} columns`);
  if (f.digits) parts.push(`numbers with ${f.digits} digits`);
  return parts.length ? `The page holds ${parts.join(', ')}; all of it is in frames/${f.name}.csv.` : '';
}

const quoted = (text) => (/[,;\t"\n\r#]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const encoded = (text) =>
  text.replace(/[\0- %=\x7f]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

function csvNumber(value) {
  if (value === null) return 'NA';
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

// The frame, or some rows of it, as `warpscape` reads it.
function toCsv(f, rows = f.names.map((_, i) => i)) {
  const about = f.columns.filter((c) => c.unit || c.group)
                  .map(
                    (c) => `# column ${encoded(c.name)}${c.unit && ` unit=${encoded(c.unit)}`}${
                      c.group && ` group=${encoded(c.group)}`}`);
  const head = ['# warpscape frame 1', ...f.notes.map((note) => `# ${note}`), ...about, `# labels: ${f.labels.length}`];
  const line =
    (i) => [...f.label.map((label) => quoted(label[i])), ...f.value.map((value) => csvNumber(value[i]))].join(',');
  return [...head, [...f.labels, ...f.columns.map((c) => c.name)].map(quoted).join(','), ...rows.map(line)].join('\n') +
    '\n';
}

// Evenly spaced numbers below n, `most` of them at most.
function sample(n, most) {
  const step = Math.max(1, Math.ceil(n / most));
  return Array.from({length: Math.ceil(n / step)}, (_, i) => i * step);
}

const finite = (value) => typeof value === 'number' && Number.isFinite(value);
