// A slider over the events that touched a document. Without this module the page has links for the same steps.
const range = document.querySelector('[data-steps]');

const begin = (places) => {
  const label = document.querySelector('.slider-label');
  const positions = places.map((place) => place.position);
  const here = Number(range.dataset.here);
  const at = positions.findLastIndex((position) => position <= here);
  range.min = '0';
  range.max = String(positions.length - 1);
  range.value = String(Math.max(at, 0));
  const tell = () => {
    const place = places[Number(range.value)];
    const words = `${place.position} · ${place.at.slice(0, 16).replace('T', ' ')} · ${place.type}`;
    label.textContent = words;
    range.setAttribute('aria-valuetext', words);
  };
  let waiting;
  const go = () => {
    const place = places[Number(range.value)];
    if (place.position === here) return;
    sessionStorage.setItem('slider', '1');
    const address = new URL(range.dataset.address, location.href);
    address.searchParams.set('as-of', String(place.position));
    location.assign(address);
  };
  // Arrow keys and the pointer: the page is asked for when the hand rests.
  range.addEventListener('input', () => {
    tell();
    clearTimeout(waiting);
    waiting = setTimeout(go, 400);
  });
  // By day.
  range.addEventListener('keydown', (event) => {
    const step = event.key === 'PageUp' ? 1 : event.key === 'PageDown' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const day = (index) => places[index].at.slice(0, 10);
    let index = Number(range.value);
    const today = day(index);
    while (places[index + step] && day(index) === today) index += step;
    range.value = String(index);
    range.dispatchEvent(new Event('input'));
  });
  range.hidden = false;
  label.hidden = false;
  tell();
  if (sessionStorage.getItem('slider')) {
    sessionStorage.removeItem('slider');
    range.focus({ preventScroll: true });
  }
};

if (range) {
  const answer = await fetch(range.dataset.steps, { headers: { Accept: 'application/json' } });
  if (answer.ok) {
    const { places } = await answer.json();
    if (places.length > 1) begin(places);
  }
}
