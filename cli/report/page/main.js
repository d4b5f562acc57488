// main.js - puts tables and figures into their places, and follows links to rows.
const PARTS = {
  table,
  details,
  cut: cutControls,
  scatter,
  dendrogram,
  clusters: clusterList,
  heatmap,
  compare: comparison,
  downloads
};
const TURN = 50;  // ms of work before the window is drawn again

function downloads(place) {
  const button = (name) => el(
    'button', {
      type: 'button',
      onclick: () => save(`${name}.csv`, toCsv(frame(name))),
      'data-frame': name,
      'data-tip': 'CSV, as this page has it'
    },
    name);
  place.append(el('p', {class: 'downloads'}, 'From the page: ', frameNames().map((name) => [button(name), ' '])));
}

// What is marked, at the bottom of the window.
function marksBar() {
  const bar = el('aside', {id: 'marks', 'aria-label': 'Marked rows', hidden: true});
  const draw = () => {
    const names = [...state.marks];
    bar.hidden = !names.length;
    put(
      bar, el('b', {}, `${show(names.length)} marked`),
      el(
        'span', {class: 'chips'},
        names.slice(0, 12).map(
          (name) => el(
            'button', {type: 'button', class: 'chip', 'aria-label': `Unmark ${name}`, onclick: () => mark(name, false)},
            `${shorten(name, 40)} ×`)),
        names.length > 12 && ` and ${show(names.length - 12)} more`),
      names.length > 1 && el('a', {href: '#compare'}, 'Compare'),
      el('button', {type: 'button', onclick: unmarkAll}, 'Clear'));
  };
  document.body.append(bar);
  listen((what) => what === 'marks' && draw());
}

// #w-NAME, #k-WORKLOAD/KERNEL, #r-NAME.
function followLink() {
  const [, prefix, name] = /^#([wkr])-(.*)$/s.exec(location.hash) ?? [];
  const t = [...tables.values()].find(({f}) => PREFIX[f.name] === prefix);
  if (!t) return;
  const wanted = decodeName(name);
  if (reveal(t, wanted)) mark(wanted, true);
}

function decodeName(text) {
  try {
    return decodeURIComponent(text);
  } catch {  // a name with a percent sign that stands for itself
    return text;
  }
}

// One part after another from the top, and where that takes long the window is drawn in between.
async function drawParts() {
  let since = performance.now();
  for (const place of document.querySelectorAll('.place')) {
    if (performance.now() - since > TURN) {
      await new Promise((done) => setTimeout(done));
      since = performance.now();
    }
    PARTS[place.dataset.part](place, frame(place.dataset.frame));
  }
}

// What was drawn above it has moved the section that the address names; figures are drawn with the next frame.
function showSection() {
  const section = document.getElementById(location.hash.slice(1));
  if (section) requestAnimationFrame(() => setTimeout(() => section.scrollIntoView()));
}

async function start() {
  const main = document.querySelector('main');
  main.setAttribute('aria-busy', 'true');
  startTips();
  marksBar();
  await drawParts();
  main.removeAttribute('aria-busy');
  addEventListener('hashchange', followLink);
  followLink();
  showSection();
}

start();
