// data.js - the frames of the page: what are rows called, what do columns mean, and how does a frame become CSV again?
const about = JSON.parse(document.getElementById('about').textContent);
const frames = new Map();

// Text labels of a row that name it, joined by '/'.
function plainNames(f) {
  const parts = f.label.filter((_, l) => f.labels[l] !== 'mangled');
  if (parts.length === 1) return parts[0];  // as most frames have it, and some very many rows
  return f.label[0].map((_, i) => parts.map((part) => part[i]).filter((text) => text !== '').join('/'));
}

const indexOf = (names) => {
  const index = new Map();
  for (let i = 0; i < names.length; i++) index.set(names[i], i);
  return index;
};

// A name that is there already gets a number.
function numbered(names) {
  const times = new Map();
  return names.map((plain) => {
    const before = times.get(plain) ?? 0;
    times.set(plain, before + 1);
    return before ? `${plain} #${before + 1}` : plain;
  });
}

// Numbers of a line: a list, or base64 of single precision (cli/report/embed.h), where NaN is what is missing.
function numbersOf(line) {
  const value = JSON.parse(line);
  if (typeof value !== 'string') return value;
  const text = atob(value), bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

// A list of lists, each of which is read from its line when somebody asks for it first.
function lazily(lines) {
  const list = [], keep = (j, value) => Object.defineProperty(list, j, {value, enumerable: true});
  lines.forEach((line, j) => Object.defineProperty(list, j, {
    configurable: true,
    enumerable: true,
    get: () => {
      keep(j, numbersOf(line));
      return list[j];
    }
  }));
  return list;
}

// The element of a frame has a line that says what the frame is, one for each label, and one for each column.
function readFrame(text) {
  const [head, ...lines] = text.split('\n');
  const f = JSON.parse(head);
  f.label = lines.splice(0, f.labels.length).map((line) => JSON.parse(line));
  f.value = lazily(lines);
  f.names = plainNames(f);
  f.index = indexOf(f.names);
  if (f.index.size < f.names.length) {
    f.names = numbered(f.names);
    f.index = indexOf(f.names);
  }
  f.at = new Map(f.columns.map((column, j) => [column.name, j]));
  return f;
}

// The frame of that name, or null. It is read when somebody asks for it first.
function frame(name) {
  if (!frames.has(name)) {
    const element = document.getElementById(`frame-${name}`);
    frames.set(name, element ? readFrame(element.textContent) : null);
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

// Single precision has digits that are no part of the number.
const exactly = (value, digits) => (digits && finite(value) ? Number(value.toPrecision(digits)) : value);

function csvNumber(value) {
  if (value === null || Number.isNaN(value)) return 'NA';
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
    (i) => [...f.label.map((label) => quoted(label[i])), ...f.value.map((value) => csvNumber(exactly(value[i], f.digits)))].join(',');
  return [...head, [...f.labels, ...f.columns.map((c) => c.name)].map(quoted).join(','), ...rows.map(line)].join('\n') +
    '\n';
}

// Evenly spaced numbers below n, `most` of them at most.
function sample(n, most) {
  const step = Math.max(1, Math.ceil(n / most));
  return Array.from({length: Math.ceil(n / step)}, (_, i) => i * step);
}

const finite = (value) => typeof value === 'number' && Number.isFinite(value);
