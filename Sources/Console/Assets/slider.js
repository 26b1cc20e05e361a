// A slider over the events that touched a document, or over all positions. Without this module the page has links.
const range = document.querySelector('[data-here]');

// `places` is null where every event touches the document.
const begin = (places) => {
  const label = document.querySelector('.slider-label');
  const here = Number(range.dataset.here);
  if (places) {
    range.min = '0';
    range.max = String(places.length - 1);
    range.value = String(Math.max(places.findLastIndex((place) => place.position <= here), 0));
  }
  const position = () => (places ? places[Number(range.value)].position : Number(range.value));
  const tell = () => {
    const place = places?.[Number(range.value)];
    const words = place ? `${place.position} · ${place.at.slice(0, 16).replace('T', ' ')} · ${place.type}` : range.value;
    label.textContent = words;
    range.setAttribute('aria-valuetext', words);
  };
  let waiting;
  const go = () => {
    if (position() === here) return;
    sessionStorage.setItem('slider', '1');
    const address = new URL(range.dataset.address, location.href);
    address.searchParams.set('as-of', String(position()));
    location.assign(address);
  };
  // Arrow keys and the pointer: the page is asked for when the hand rests.
  range.addEventListener('input', () => {
    tell();
    clearTimeout(waiting);
    waiting = setTimeout(go, 400);
  });
  // By day.
  if (places) {
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
  }
  range.hidden = false;
  label.hidden = false;
  tell();
  if (sessionStorage.getItem('slider')) {
    sessionStorage.removeItem('slider');
    range.focus({ preventScroll: true });
  }
};

if (range?.dataset.steps) {
  const answer = await fetch(range.dataset.steps, { headers: { Accept: 'application/json' } });
  const { places } = answer.ok ? await answer.json() : { places: [] };
  if (places.length > 1) begin(places);
} else if (range) {
  begin(null);
}
