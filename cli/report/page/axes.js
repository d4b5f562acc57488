// axes.js - what can be an axis: components of the map, and every characteristic; and which round numbers stand at it.

// [group, [[key, title]]] for select(); a key is FRAME:COLUMN.
function axisOptions(f) {
  const groups = new Map();
  const add = (group, key, title) => groups.set(group, [...(groups.get(group) ?? []), [key, title]]);
  for (const source of axisSources(f))
    for (const column of source.columns)
      add(
        source.name === 'scores' ? 'components' : column.group || 'columns', `${source.name}:${column.name}`,
        column.name);
  return [...groups];
}

const axisSources =
  (f) => [about.map && f.name === about.table && frame('scores'), f.name === 'kernels' && frame('work'), f].filter(
    Boolean);

// Value of a row by its name; NaN where there is none.
function axisOf(key) {
  const [source, ...rest] = key.split(':');
  const f = frame(source), name = rest.join(':'), value = columnOf(f, name);
  const unit = f.columns[f.at.get(name)].unit, share = source === 'scores' ? shareOf(name) : '';
  return {
    name,
    title: name + (share || (unit && ` (${unit})`)),
    tip: explain(name, unit),
    get: (row) => value[f.index.get(row)] ?? NaN
  };
}

// " (31 % of the variance)" of a component.
function shareOf(component) {
  const eigenvalues = frame('eigenvalues'), i = eigenvalues?.index.get(component);
  return i === undefined ? '' : ` (${percent(columnOf(eigenvalues, 'share')[i])} of the variance)`;
}

// Steps of 1, 2 or 5 times a power of ten, about n of them.
function ticks(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const list = [];
  for (let v = Math.ceil(low / step); v * step <= high * (1 + 1e-12) + step * 1e-9; v++)
    list.push(Number((v * step).toPrecision(12)));
  return list;
}

function logTicks(low, high) {
  const list = [];
  const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high)), step = Math.ceil((to - from) / 6) || 1;
  for (let e = from; e <= to; e += step)
    if (10 ** e >= low * 0.999 && 10 ** e <= high * 1.001) list.push(10 ** e);
  return list.length > 1 ? list : ticks(low, high, 5).filter((v) => v > 0);
}

// From values to pixels from..to, with some room at both ends.
function scale(values, from, to, log) {
  const use = values.filter((v) => finite(v) && (!log || v > 0));
  let low = use.reduce((a, b) => Math.min(a, b), Infinity), high = use.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!use.length) [low, high] = [0, 1];
  const f = log ? Math.log10 : (v) => v;
  let a = f(low), b = f(high);
  const room = (b - a || Math.abs(a) || 1) * 0.05;
  [a, b] = [a - room, b + room];
  const inverse = log ? (v) => 10 ** v : (v) => v;
  return {
    at: (v) => from + (f(v) - a) / (b - a) * (to - from),
    ok: (v) => finite(v) && (!log || v > 0),
    ticks: log ? logTicks(inverse(a), inverse(b)) : ticks(a, b, Math.max(2, Math.abs(to - from) / 90))
  };
}
