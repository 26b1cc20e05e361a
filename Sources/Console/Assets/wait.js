// Asks for the page again until what it waits for is worked out; without this module the browser loads it anew by itself.
const box = document.querySelector('[data-wait]');
const bar = box.querySelector('progress');
const text = box.querySelector('.how-far');
const look = async () => {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (answer.status !== 202) {
      location.reload();
      return;
    }
    const [done, total] = (answer.headers.get('Sijill-Progress') ?? '').split('/').map(Number);
    if (total > 0) {
      bar.max = total;
      bar.value = done;
      text.textContent = `${Math.floor((100 * done) / total)} %`;
    }
  } catch {
    // The next one may get through.
  }
  setTimeout(look, 400);
};
setTimeout(look, 250);
