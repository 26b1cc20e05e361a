// New events are counted and shown when somebody asks for them: what is being read never moves.
const box = document.querySelector('[data-live]');
if (box) {
  const text = box.querySelector('[aria-live]');
  const show = box.querySelector('[data-show]');
  const words = box.dataset;
  let count = 0;
  let said = -1;
  // Once a second at most, so that a screen reader is not flooded.
  const say = () => {
    if (count === said) return;
    said = count;
    text.textContent = count === 0 ? words.wait : `${count.toLocaleString(document.documentElement.lang)} ${words.new}`;
    show.hidden = count === 0;
  };
  const source = new EventSource(words.live);
  source.addEventListener('event', () => { count += 1; });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    text.textContent = words.lost;
    clearInterval(clock);
  });
  const clock = setInterval(say, 1000);
  box.hidden = false;
  say();
  // A page that is kept for Back holds no connection.
  addEventListener('pagehide', () => { source.close(); clearInterval(clock); });
}
