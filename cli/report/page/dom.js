// dom.js - how are elements made, and numbers written?
const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...shown(children));
  return element;
}

// Children may be lists, and what is left out is false or missing.
const shown = (children) =>
  children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false && child !== '');

const put = (element, ...children) => element.replaceChildren(...shown(children));

const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A choice; options are [value, text], or [title, [options]] for a group.
function select(label, options, value, change) {
  const option = ([name, text]) => Array.isArray(text) ? el('optgroup', {label: name}, text.map(option)) :
                                                         el('option', {value: name, selected: name === value}, text);
  return el(
    'label', {}, `${label} `, el('select', {onchange: (event) => change(event.target.value)}, options.map(option)));
}

// A long name, which may go on in the next line behind its joints.
const breakable = (name) => name.split(/(?<=[_/,<(:])/).flatMap((part, i) => (i ? [el('wbr'), part] : [part]));

const plural = (n, word) => `${show(n)} ${word}${n === 1 ? '' : 's'}`;

const PREFIXES = [[1e12, ' T'], [1e9, ' G'], [1e6, ' M']];

// Four digits at most, large numbers with a prefix; what is missing is a dash.
function show(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const [unit, prefix] = PREFIXES.find(([least]) => size >= least) ?? [1, ''];
  const digits = Number.isInteger(size) && unit === 1 ? String(size) : String(Number((size / unit).toPrecision(4)));
  return (value < 0 ? '−' : '') + digits.replace(/^\d{5,}$/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')) +
    prefix;
}

const percent = (share) => `${show(Number((100 * share).toPrecision(3)))} %`;

// Calls draw(width) now, and whenever the place gets another width.
function drawToFit(place, draw) {
  let last = 0;
  new ResizeObserver(() => {
    const width = place.clientWidth;
    if (width && width !== last) draw(last = width);
  }).observe(place);
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
  el('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
