// scatter.js - rows in the plane of two axes of choice.
const SCATTER_MOST = 1000;  // points; of more rows an even sample is drawn
const LABELLED_MOST = 150;  // points; of more only those that are marked have names
const MARGIN = {
  left: 58,
  right: 18,
  top: 14,
  bottom: 46
};
const LETTER = 6.6;  // pixels of a letter of a name, about

// Discs, squares, triangles, diamonds: colours alone do not tell clusters apart for everybody.
const SHAPES = [
  'M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0', 'M-4.5,-4.5h9v9h-9z', 'M0,-6L5.5,4H-5.5z', 'M0,6L5.5,-4H-5.5z',
  'M0,-6.4L5.6,0L0,6.4L-5.6,0z'
];
const shapeOf = (cluster) => SHAPES[Math.max(0, cluster - 1) % SHAPES.length];

function scatterNames(f) {
  const all = about.map && f.name === about.table ? frame('scores').names : f.names;
  return sample(all.length, SCATTER_MOST).map((i) => all[i]);
}

function firstAxes(f) {
  const keys = axisOptions(f).flatMap(([, options]) => options.map(([key]) => key));
  if (keys[0]?.startsWith('scores:'))
    return [
      keys[0], keys[1]?.startsWith('scores:') ? keys[1] : keys.find((key) => !key.startsWith('scores:')) ?? keys[0]
    ];
  const wish = (name) => keys.find((key) => key.endsWith(`:${name}`));
  return [wish('warp_instructions') ?? keys[0], wish('simd_efficiency') ?? keys[1] ?? keys[0]];
}

function scatter(place, f) {
  if (!f.columns.length) return place.append(el('p', {}, 'There is no column of numbers to draw.'));
  const [x, y] = firstAxes(f);
  const s = {
    f,
    names: scatterNames(f),
    x,
    y,
    logX: x.endsWith('instructions'),
    logY: false,
    canvas: el('div', {class: 'canvas'}),
    caption: el('figcaption')
  };
  const again = (key) => (value) => {
    s[key] = value;
    drawScatter(s, s.canvas.clientWidth);
  };
  const options = axisOptions(f);
  const log = (key, label) => el(
    'label', {},
    el('input', {type: 'checkbox', checked: s[key], onchange: (event) => again(key)(event.target.checked)}),
    ` ${label}`);
  place.append(
    el(
      'div', {class: 'tools', role: 'group', 'aria-label': 'Axes'}, select('Across', options, x, again('x')),
      log('logX', 'log'), select('Up', options, y, again('y')), log('logY', 'log')),
    el('figure', {class: 'live'}, s.canvas, s.caption));
  drawToFit(s.canvas, (width) => drawScatter(s, width));
  listen((what) => (what === 'cut' ? drawScatter(s, s.canvas.clientWidth) : drawMarks(s)));
}

function drawScatter(s, width) {
  const height = Math.min(560, Math.max(300, width * 0.6));
  const ax = axisOf(s.x), ay = axisOf(s.y);
  const X = scale(s.names.map(ax.get), MARGIN.left, width - MARGIN.right, s.logX),
        Y = scale(s.names.map(ay.get), height - MARGIN.bottom, MARGIN.top, s.logY);
  s.points = s.names.map((name) => ({name, x: ax.get(name), y: ay.get(name), ...clusterOf(name)}))
               .filter((p) => X.ok(p.x) && Y.ok(p.y))
               .map((p) => ({...p, left: X.at(p.x), top: Y.at(p.y)}));
  s.ax = ax;
  s.ay = ay;
  s.labels = svg('g', {class: 'labels', 'aria-hidden': 'true'});
  s.marks = svg('g', {}, s.points.map((p, i) => pointMark(s, p, i)));
  s.picture = svg(
    'svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'group'}, axisLines(X, Y, width, height),
    svg(
      'text', {
        class: 'title',
        x: (MARGIN.left + width - MARGIN.right) / 2,
        y: height - 8,
        'text-anchor': 'middle',
        'data-tip': ax.tip
      },
      ax.title),
    svg(
      'text', {
        class: 'title',
        transform: `translate(14 ${(height - MARGIN.bottom) / 2}) rotate(-90)`,
        'text-anchor': 'middle',
        'data-tip': ay.tip
      },
      ay.title),
    s.labels, s.marks);
  brush(s, s.picture);
  put(s.canvas, s.picture);
  say(s);
  drawMarks(s);
}

function axisLines(X, Y, width, height) {
  const low = height - MARGIN.bottom, right = width - MARGIN.right;
  return svg(
    'g', {class: 'axes', 'aria-hidden': 'true'},
    X.ticks.map(
      (v) =>
        [svg('path', {d: `M${X.at(v)},${MARGIN.top}V${low}`}),
         svg('text', {x: X.at(v), y: low + 17, 'text-anchor': 'middle'}, show(v))]),
    Y.ticks.map(
      (v) =>
        [svg('path', {d: `M${MARGIN.left},${Y.at(v)}H${right}`}),
         svg('text', {x: MARGIN.left - 7, y: Y.at(v) + 4, 'text-anchor': 'end'}, show(v))]));
}

function pointMark(s, p, i) {
  const words = `${p.name}\n${s.ax.name}: ${show(p.x)}\n${s.ay.name}: ${show(p.y)}${
    p.cluster ? `\ncluster ${p.cluster}${p.stands ? ', stands for it' : ''}` : ''}`;
  return svg(
    'g', {
      class: `point ${colour(p.cluster)}`,
      transform: `translate(${p.left} ${p.top})`,
      'data-name': p.name,
      'data-tip': words,
      role: 'button',
      tabindex: i ? -1 : 0,
      'aria-pressed': false,
      'aria-label': words.replaceAll('\n', ', '),
      onclick: () => mark(p.name),
      onkeydown: (event) => pointKey(s, event, p)
    },
    p.stands && svg('circle', {class: 'ring', r: 9}), svg('path', {d: shapeOf(p.cluster)}));
}

// Arrows go from point to point, as they lie from left to right; a key press marks.
function pointKey(s, event, p) {
  press(() => mark(p.name))(event);
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
  if (!step) return;
  event.preventDefault();
  const order =
    [...s.marks.children].map((element, i) => ({element, left: s.points[i].left})).sort((a, b) => a.left - b.left);
  const at = order.findIndex(({element}) => element === event.currentTarget);
  order[(at + step + order.length) % order.length].element.focus();
}

// A frame drawn with the mouse marks what is in it.
function brush(s, picture) {
  let from = null;
  const box = svg('rect', {class: 'brush', 'pointer-events': 'none'});
  const place = (event) => {
    const {left, top} = picture.getBoundingClientRect();
    return {x: event.clientX - left, y: event.clientY - top};
  };
  const edges = (to) => ({
    x: Math.min(from.x, to.x),
    y: Math.min(from.y, to.y),
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y)
  });
  picture.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.target.closest('.point')) return;
    from = place(event);
    picture.setPointerCapture(event.pointerId);
    picture.append(fill(box, {width: 0, height: 0}, []));
  });
  picture.addEventListener('pointermove', (event) => from && fill(box, edges(place(event)), []));
  picture.addEventListener('pointerup', (event) => {
    if (!from) return;
    const {x, y, width, height} = edges(place(event));
    from = null;
    box.remove();
    markAll(s.points.filter((p) => p.left >= x && p.left <= x + width && p.top >= y && p.top <= y + height)
              .map((p) => p.name));
  });
}

// Names beside points, as long as they do not cover one another; those that are marked first.
function drawMarks(s) {
  if (!s.picture) return;
  showMarks(s.marks);
  const taken = s.points.map((p) => ({x: p.left - 4, y: p.top - 4, w: 8, h: 8}));
  const free = (b) => taken.every((t) => b.x > t.x + t.w || b.x + b.w < t.x || b.y > t.y + t.h || b.y + b.h < t.y);
  const rank = (p) => 3 * (markOf(p.name) === 2) + p.stands;
  const named = s.points.filter((p) => s.points.length <= LABELLED_MOST || rank(p)).sort((a, b) => rank(b) - rank(a));
  put(s.labels, ...named.map((p) => label(s, p, taken, free)).filter(Boolean));
}

const LONG = 26;  // letters of a name in a figure

const shorten = (name, most = LONG) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

function label(s, p, taken, free) {
  const text = shorten(p.name.slice(p.name.lastIndexOf('/') + 1) || p.name), w = text.length * LETTER,
        width = s.picture.viewBox.baseVal.width;
  const away = p.stands ? 12 : 9;  // a ring is wider
  const spots = [
    [p.left + away, p.top - 6], [p.left - away - w, p.top - 6], [p.left - w / 2, p.top - 13 - away],
    [p.left - w / 2, p.top + away]
  ];
  const box =
    spots.map(([x, y]) => ({x, y, w, h: 13})).find((b) => b.x >= MARGIN.left && b.x + w <= width && b.y > 0 && free(b));
  if (!box) return null;
  taken.push(box);
  return svg('text', {class: markOf(p.name) === 2 ? 'marked' : '', x: box.x, y: box.y + 10.5}, text);
}

// What who does not see the picture should know.
function say(s) {
  const end = (key, axis) => {
    const sorted = [...s.points].sort((a, b) => a[key] - b[key]);
    return sorted.length ? `${axis.name} from ${sorted[0].name} (${show(sorted[0][key])}) to ${sorted.at(-1).name} (${
                             show(sorted.at(-1)[key])})` :
                           '';
  };
  const all = about.map && s.f.name === about.table ? frame('scores').names.length : s.f.names.length;
  const lacking = s.names.length - s.points.length;
  s.picture.setAttribute('aria-label', `Scatter of ${s.points.length} rows. ${end('x', s.ax)}; ${end('y', s.ay)}`);
  s.caption.textContent = [
    about.map && s.f.name === about.table && 'Colour and shape: cluster; ring: the row that stands for it.',
    'Click a point, or draw a frame with the mouse, to mark rows.',
    s.names.length < all && `Drawn are ${show(s.names.length)} of ${show(all)} rows, evenly spaced.`,
    lacking &&
      `${plural(lacking, 'row')} without a value${s.logX || s.logY ? ' above 0' : ''} ${
        lacking === 1 ? 'is' : 'are'} not drawn.`
  ].filter(Boolean).join(' ');
}
