// tip.js - hints beside what the pointer or the keyboard is at: elements with data-tip.
const tip = el('div', {id: 'tip', role: 'tooltip', hidden: true});

function placeTip(x, y) {
  const {offsetWidth: width, offsetHeight: height} = tip;
  const left = Math.max(4, Math.min(x + 14, innerWidth - width - 8));
  const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
  tip.style.transform = `translate(${left}px, ${Math.max(4, top)}px)`;
}

function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  placeTip(x, y);
}

function hideTip() { tip.hidden = true; }

function startTips() {
  document.body.append(tip);
  const of = (event) => event.target.closest?.('[data-tip]');
  document.addEventListener('pointermove', (event) => {
    const element = of(event);
    if (element)
      showTip(element.dataset.tip, event.clientX, event.clientY);
    else if (!event.target.closest?.('[data-tips]'))
      hideTip();
  });
  document.addEventListener('focusin', (event) => {
    const element = of(event);
    if (!element || !element.matches(':focus-visible')) return hideTip();
    const box = element.getBoundingClientRect();
    element.setAttribute('aria-describedby', 'tip');
    showTip(element.dataset.tip, box.left, box.bottom - 10);
  });
  document.addEventListener('focusout', hideTip);
  document.addEventListener('scroll', hideTip, true);
  document.addEventListener('keydown', (event) => event.key === 'Escape' && hideTip());
}
