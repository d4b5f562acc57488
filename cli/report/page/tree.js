// tree.js - where is the tree cut, who stands for whom, and are the clusters any good? The same rules as `warpscape cluster`
// (cluster/tree.c, cluster/quality.c): clusters are numbered by their lowest rows, the row nearest the centroid stands for them.
const NO_STRUCTURE = 0.25;  // Kaufman and Rousseeuw 1990, chapter 2
const NEAR = 1e-9;          // rows as near to a centroid within this part: the first stands

const linkages = () =>
  frameNames().filter((name) => name.startsWith('tree-')).map((name) => name.slice('tree-'.length));

// Merges: children are rows (0 .. n - 1) or n + an earlier merge.
function treeOf(linkage) {
  const f = frame(`tree-${linkage}`);
  const n = f.names.length + 1;
  const child = (v) => (v < 0 ? -v - 1 : n + v - 1);
  return {
    n,
    left: columnOf(f, 'left').map(child),
    right: columnOf(f, 'right').map(child),
    height: columnOf(f, 'height')
  };
}

// Rows below a node, as a drawing without crossings shows them.
function leavesOf(tree, node) {
  const leaves = [], stack = [node];
  while (stack.length) {
    const at = stack.pop();
    if (at < tree.n)
      leaves.push(at);
    else
      stack.push(tree.right[at - tree.n], tree.left[at - tree.n]);
  }
  return leaves;
}

// The nodes that are left when all but the last k - 1 merges are done.
function topsOf(tree, k) {
  const done = tree.n - k;
  const tops = new Set(Array.from({length: tree.n}, (_, i) => i));
  for (let m = 0; m < done; m++) {
    tops.delete(tree.left[m]);
    tops.delete(tree.right[m]);
    tops.add(tree.n + m);
  }
  return [...tops];
}

// cluster[i] of row i, from 1, in the order of lowest rows.
function cutTree(tree, k) {
  const members = topsOf(tree, k).map((top) => leavesOf(tree, top).sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
  const cluster = new Array(tree.n);
  members.forEach((rows, c) => rows.forEach((i) => {
    cluster[i] = c + 1;
  }));
  return {cluster, members};
}

// A loop, for this is where the time of a cut goes.
function square(a, b) {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) ** 2;
  return sum;
}

function representative(points, rows) {
  const mean =
    points[0].map((_, j) => rows.reduce((sum, i) => sum + points[i][j], 0) / rows.length);  // in the order of rows
  const distance = rows.map((i) => Math.sqrt(square(points[i], mean)));
  const nearest = Math.min(...distance);
  return rows[distance.findIndex((d) => d <= nearest * (1 + NEAR))];
}

// far[i][c]: sum of distances of row i to the rows of cluster c + 1.
function distancesToClusters(points, {cluster, members}) {
  const far = points.map(() => new Float64Array(members.length));
  for (let i = 0; i < points.length; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.sqrt(square(points[i], points[j]));
      far[i][cluster[j] - 1] += d;
      far[j][cluster[i] - 1] += d;
    }
  }
  return far;
}

// Mean silhouette (Rousseeuw 1987); a cluster of one row counts 0.
function silhouette(points, cut) {
  const {cluster, members} = cut, k = members.length;
  if (k < 2 || k >= points.length) return NaN;
  let sum = 0;
  distancesToClusters(points, cut).forEach((far, i) => {
    const own = cluster[i] - 1;
    if (members[own].length === 1) return;
    const a = far[own] / (members[own].length - 1);
    const b = members.reduce((least, rows, c) => (c === own ? least : Math.min(least, far[c] / rows.length)), Infinity);
    sum += a === b ? 0 : (b - a) / Math.max(a, b);
  });
  return sum / points.length;
}

function cutHeight(tree, k) {
  const done = tree.n - k;
  if (k === 1) return tree.height[tree.n - 2];
  const below = done ? tree.height[done - 1] : 0;
  return below + (tree.height[done] - below) / 2;
}

let points = null, known = null;

// The cut that is chosen now, worked out once; null without a map.
function clusters() {
  const scores = about.map && frame('scores');
  if (!scores) return null;
  if (known && known.linkage === state.linkage && known.k === state.clusters) return known;
  points ??= scores.names.map((_, i) => Float64Array.from(scores.value, (column) => column[i]));
  const tree = treeOf(state.linkage);
  const cut = cutTree(tree, state.clusters);
  const stands = cut.members.map((rows) => representative(points, rows));
  known = {
    ...cut,
    tree,
    stands,
    names: scores.names,
    index: scores.index,
    linkage: state.linkage,
    k: state.clusters,
    height: cutHeight(tree, state.clusters),
    shape: null
  };
  return known;
}

// Its silhouette, worked out when somebody asks: that takes the square of the rows.
function silhouetteOf(cut) {
  cut.shape ??= silhouette(points, cut);
  return cut.shape;
}

// Number of the row's cluster, 0 when it has none, and whether the row stands for it.
function clusterOf(name) {
  const cut = clusters(), i = cut?.index.get(name);
  if (i === undefined) return {cluster: 0, stands: false};
  return {cluster: cut.cluster[i], stands: cut.stands[cut.cluster[i] - 1] === i};
}

const COLOURS = 8;
const colour = (cluster) => (cluster ? `c${(cluster - 1) % COLOURS + 1}` : 'c0');

// k and linkage, for all figures.
function cutControls(place) {
  const most = Math.min(frame('scores').names.length, 30);
  const words = el('p', {class: 'verdict', 'aria-live': 'polite'});
  const number = el('output', {});
  const slider = el('input', {
    type: 'range',
    min: 1,
    max: most,
    value: Math.min(state.clusters, most),
    'aria-label': 'Number of clusters',
    oninput: (event) => cutInto(state.linkage, Number(event.target.value))
  });
  place.append(
    el(
      'div', {class: 'tools', role: 'group', 'aria-label': 'Clusters'},
      el('label', {}, 'Clusters ', slider, ' ', number),
      select(
        'Linkage', linkages().map((name) => [name, name]), state.linkage,
        (linkage) => cutInto(linkage, state.clusters))),
    words);
  const say = () => {
    number.textContent = state.clusters;
    words.textContent = verdict(clusters());
    words.classList.toggle('caution', silhouetteOf(clusters()) < NO_STRUCTURE);
  };
  listen((what) => what === 'cut' && say());
  say();
}

function verdict(cut) {
  const s = silhouetteOf(cut), what = `${plural(cut.k, 'cluster')} by ${cut.linkage} linkage`;
  if (Number.isNaN(s)) return `${what}: a silhouette needs two clusters or more, fewer than rows.`;
  if (s < NO_STRUCTURE)
    return `Caution: ${what} have a mean silhouette of ${s.toFixed(2)}, below ${
      NO_STRUCTURE}: rows do not fall into groups here, and who stands for a cluster is a sample, not a kind.`;
  return `${what}: mean silhouette ${s.toFixed(2)} (1 is tight and far apart, below ${NO_STRUCTURE} is no structure).`;
}

// Who is in which cluster, and who stands for it.
function clusterList(place) {
  const draw = () => {
    const cut = clusters();
    put(
      place,
      el(
        'div', {class: 'scroll'},
        el(
          'table', {}, el('caption', {}, `${plural(cut.k, 'cluster')} by ${cut.linkage} linkage`),
          el(
            'thead', {},
            el('tr', {}, ['cluster', 'stands for it', 'size', 'members'].map((t) => el('th', {scope: 'col'}, t)))),
          el('tbody', {}, cut.members.map((rows, c) => clusterRow(cut, rows, c))))));
    showMarks(place);
  };
  listen((what) => (what === 'cut' ? draw() : showMarks(place)));
  draw();
}

const LISTED = 60;  // members by name, then their number

function clusterRow(cut, rows, c) {
  const others = rows.filter((i) => i !== cut.stands[c]);
  return el(
    'tr', {class: 'cluster'}, el('td', {}, el('span', {class: `dot ${colour(c + 1)}`}), ` ${c + 1}`),
    el('td', {}, chip(cut.names[cut.stands[c]])), el('td', {class: 'n'}, show(rows.length)),
    el(
      'td', {class: 'text'}, others.slice(0, LISTED).map((i) => chip(cut.names[i])),
      others.length > LISTED && ` and ${show(others.length - LISTED)} more`));
}

const chip = (name) => el(
  'button', {class: 'chip', type: 'button', 'data-name': name, 'aria-pressed': false, onclick: () => mark(name)}, name);
