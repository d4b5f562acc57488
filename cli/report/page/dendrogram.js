// dendrogram.js - the tree of clusters, from the leaves on the left to the root on the right.
const TREE_MOST = 120;  // leaves; of larger trees the top is drawn, with a leaf for each group of rows
const LINE = 18;        // pixels of a leaf

// Leaves of the drawing, in order: the tops of a cut, as far as there is room for them.
function drawnTree(tree) {
  const tops = tree.n > TREE_MOST ? new Set(topsOf(tree, TREE_MOST)) : null;
  const order = [], stack = [2 * tree.n - 2];
  while (stack.length) {
    const node = stack.pop();
    if (node < tree.n || tops?.has(node))
      order.push(node);
    else
      stack.push(tree.right[node - tree.n], tree.left[node - tree.n]);
  }
  return order;
}

function dendrogram(place) {
  const d = {canvas: el('div', {class: 'canvas'}), caption: el('figcaption'), leaves: [], branches: []};
  place.append(el('figure', {class: 'live'}, d.canvas, d.caption));
  drawToFit(d.canvas, (width) => drawTree(d, width));
  listen((what) => (what === 'cut' ? drawTree(d, d.canvas.clientWidth) : showLeaves(d)));
}

function leafName(cut, node) {
  if (node < cut.tree.n) return cut.names[node];
  const rows = leavesOf(cut.tree, node);
  return `${show(rows.length)} rows like ${cut.names[Math.min(...rows)]}`;
}

function drawTree(d, width) {
  const cut = clusters(), {tree} = cut, order = drawnTree(tree);
  const names = order.map((node) => leafName(cut, node));
  const left = Math.min(width * 0.42, 14 + LETTER * Math.max(...names.map((name) => Math.min(name.length, LONG))));
  const height = order.length * LINE + 40, top = tree.height.at(-1) || 1;
  const x = (h) => left + 6 + h / top * (width - left - 20), y = new Map(order.map((node, i) => [node, 12 + i * LINE]));
  const branches = [];
  for (let m = 0; m < tree.n - 1; m++) {
    const a = y.get(tree.left[m]), b = y.get(tree.right[m]);
    if (a === undefined || b === undefined || y.has(tree.n + m)) continue;
    y.set(tree.n + m, (a + b) / 2);
    branches.push(branch(cut, m, x, y));
  }
  d.branches = branches;
  d.leaves = order.map((node, i) => ({
                         element: leaf(cut, node, names[i], left, y.get(node)),
                         names: leavesOf(tree, node).map((row) => cut.names[row]),
                         node
                       }));
  walkTree(d, y);
  put(
    d.canvas,
    svg(
      'svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': treeWords(cut)},
      ruler(x, top, height, left, width), branches.map(({element}) => element), svg('path', {
        class: 'cut',
        d: `M${x(cut.height)},2V${height - 26}`,
        'data-tip': `cut into ${cut.k} at height ${show(cut.height)}`
      }),
      d.leaves.map(({element}) => element)));
  d.caption.textContent =
    `Tree by ${cut.linkage} linkage over the components, cut into ${plural(cut.k, 'cluster')} at height ${
      show(cut.height)}. Click a name, or a branch, to mark its rows; arrows go along the branches.` +
    (order.length < tree.n ? ` Drawn is the top of the tree: ${order.length} groups of ${show(tree.n)} rows.` : '');
  showLeaves(d);
}

// A leaf that is a group of rows is marked when any of them is.
function showLeaves(d) {
  showMarks(d.canvas);
  for (const {element, names} of d.leaves)
    element.classList.toggle('marked', names.some((name) => state.marks.has(name)));
  for (const {element, names} of d.branches) {
    element.classList.toggle('marked', allMarked(names));
    element.setAttribute('aria-pressed', allMarked(names));
  }
}

// Arrows go from branch to branch: right to the one it is part of, left into the upper of its two, up and down to the other of the two. Tab comes to
// the root of the tree, and to its leaves.
function walkTree(d, y) {
  const at = new Map([...d.leaves, ...d.branches].map((part) => [part.node, part.element]));
  const next = new Map();
  const go = (node, key, to) => next.set(node, {...next.get(node), [key]: to});
  for (const {node, children: [a, b]} of d.branches) {
    const [upper, lower] = y.get(a) < y.get(b) ? [a, b] : [b, a];
    go(node, 'ArrowLeft', upper);
    go(upper, 'ArrowDown', lower);
    go(lower, 'ArrowUp', upper);
    [upper, lower].forEach((child) => go(child, 'ArrowRight', node));
  }
  for (const [node, element] of at)
    element.addEventListener('keydown', (event) => {
      const to = at.get(next.get(node)?.[event.key]);
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
  d.branches.at(-1)?.element.setAttribute('tabindex', 0);
}

function ruler(x, top, height, left, width) {
  return svg(
    'g', {class: 'axes', 'aria-hidden': 'true'},
    ticks(0, top, Math.max(2, (width - left) / 110))
      .map(
        (v) =>
          [svg('path', {d: `M${x(v)},2V${height - 26}`}),
           svg('text', {x: x(v), y: height - 10, 'text-anchor': 'middle'}, show(v))]));
}

const TOLD = 4;  // rows below a branch that are named in words

// What who does not see the branch should know: how many rows, where they are joined, in which cluster, and some of their names.
function branchWords(cut, joined, clustersBelow, names) {
  const place = clustersBelow.length === 1 ? `in cluster ${clustersBelow[0]}` : `of ${show(clustersBelow.length)} clusters`;
  const more = names.length > TOLD ? ` and ${show(names.length - TOLD)} more` : '';
  return `${joined}, ${place}: ${names.slice(0, TOLD).join(', ')}${more}`;
}

const allMarked = (names) => names.every((name) => state.marks.has(name));

// A merge: one colour where all below it are of one cluster.
function branch(cut, m, x, y) {
  const {tree} = cut, from = (node) => x(node < tree.n ? 0 : tree.height[node - tree.n]);
  const [a, b] = [tree.left[m], tree.right[m]], h = x(tree.height[m]);
  const rows = leavesOf(tree, tree.n + m), of = new Set(rows.map((i) => cut.cluster[i]));
  const path = `M${from(a)},${y.get(a)}H${h}V${y.get(b)}H${from(b)}`;
  const words = `${plural(rows.length, 'row')} joined at ${show(tree.height[m])}`;
  const names = rows.map((i) => cut.names[i]), act = () => (markAll(names, !allMarked(names)));
  const element = svg(
    'g', {
      class: `branch ${of.size === 1 ? colour([...of][0]) : 'c0'}`,
      role: 'button',
      tabindex: -1,
      'aria-pressed': false,
      'aria-label': branchWords(cut, words, [...of], names),
      'data-tip': words,
      onclick: act,
      onkeydown: press(act)
    },
    svg('path', {class: 'reach', d: path}), svg('path', {d: path}));
  return {element, names, node: tree.n + m, children: [a, b]};
}

function leaf(cut, node, name, left, y) {
  const row = Math.min(...leavesOf(cut.tree, node)), own = cut.names[row], cluster = cut.cluster[row],
        stands = node < cut.tree.n && cut.stands[cluster - 1] === row;
  const act = () => (node < cut.tree.n ? mark(own) : markAll(leavesOf(cut.tree, node).map((i) => cut.names[i])));
  return svg(
    'g', {
      class: `leaf ${colour(cluster)}`,
      'data-name': own,
      role: 'button',
      tabindex: 0,
      'aria-pressed': false,
      onclick: act,
      onkeydown: press(act),
      'data-tip': `${name}\ncluster ${cluster}${stands ? ', stands for it' : ''}`,
      'aria-label': `${name}, cluster ${cluster}`
    },
    svg(
      'text', {x: left - 6, y: y + 4, 'text-anchor': 'end'},
      shorten(name, Math.max(4, Math.floor((left - 10) / LETTER)))),
    stands && svg('circle', {cx: left + 6, cy: y, r: 4}));
}

function treeWords(cut) {
  const told = cut.members.slice(0, 8).map((rows, c) => `${cut.names[cut.stands[c]]} stands for ${rows.length}`);
  return `Tree of ${cut.tree.n} rows in ${cut.k} clusters: ${told.join('; ')}${cut.k > 8 ? ' and others' : ''}`;
}
