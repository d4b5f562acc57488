// state.js - what is marked, and where is the tree cut? Every part of the page listens here.
const state = {
  marks: new Set(),
  linkage: about.linkage,
  clusters: about.clusters
};
const listeners = [];

// Calls back after each change: 'marks' or 'cut'.
const listen = (callback) => listeners.push(callback);
const tell = (what) => listeners.forEach((callback) => callback(what));

function mark(name, on = !state.marks.has(name)) {
  if (on)
    state.marks.add(name);
  else
    state.marks.delete(name);
  tell('marks');
}

function markAll(names, on = true) {
  names.forEach((name) => (on ? state.marks.add(name) : state.marks.delete(name)));
  tell('marks');
}

function unmarkAll() {
  state.marks.clear();
  tell('marks');
}

function cutInto(linkage, clusters) {
  state.linkage = linkage;
  state.clusters = clusters;
  tell('cut');
}

// A kernel is also shown where its workload is marked, and the other way round: 2 for itself, 1 for such a relative.
function markOf(name) {
  if (state.marks.has(name)) return 2;
  const workload = name.includes('/') ? name.slice(0, name.indexOf('/')) : name;
  return state.marks.has(workload) ? 1 : 0;
}

// Keys that press a button press what acts like one.
function press(action) {
  return (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    action(event);
  };
}

// Classes on elements that have a data-name, as they are marked now.
function showMarks(root) {
  for (const element of root.querySelectorAll('[data-name]')) {
    const marked = markOf(element.dataset.name);
    element.classList.toggle('marked', marked === 2);
    element.classList.toggle('kin', marked === 1);
    if (element.hasAttribute('aria-pressed')) element.setAttribute('aria-pressed', marked === 2);
  }
}
