// The check of the audit page and of an event's page: the browser looks itself, at what the log has published.
import { canCheck, checkConsistency, checkInclusion, Failure, fromBase64, base64, leafHash, openCheckpoint, parseKey, Tiles } from './tlog.js';

const box = document.querySelector('.check');
const words = JSON.parse(box.dataset.words);
const list = box.querySelector('ul');
const verdict = box.querySelector('[role=status]');
const bar = box.querySelector('progress');
const field = box.querySelector('[name=key]');
const api = '/ui/api';

const line = (text, isGood = true) => {
  const item = document.createElement('li');
  item.textContent = `${isGood ? '✓' : '✗'} ${text}`;
  item.className = isGood ? 'good' : 'bad';
  list.append(item);
};
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const get = async (path) => {
  const answer = await fetch(api + path, { cache: 'no-store' });
  if (!answer.ok) throw new Failure('answer', `${path}: ${answer.status}`);
  return answer;
};
const readTile = async (path) => new Uint8Array(await (await get(`/log/tile/${path}`)).arrayBuffer());

// Which tiles are looked at: all, or the newest and as many others at random.
const chosen = (count, most) => {
  const all = [...Array(count).keys()];
  if (count <= most) return all;
  const some = new Set([count - 1]);
  while (some.size < most) some.add(crypto.getRandomValues(new Uint32Array(1))[0] % count);
  return [...some].sort((left, right) => left - right);
};

const memory = (origin) => `sijill.log.${origin}`;
const remembered = (origin) => JSON.parse(localStorage.getItem(memory(origin)) ?? 'null');

const start = async (key) => {
  const checkpoint = await openCheckpoint(await (await get('/log/checkpoint')).text(), key);
  line(fill(words.signed, checkpoint));
  const tiles = new Tiles(checkpoint.size, readTile);
  const old = remembered(checkpoint.origin);
  if (old) {
    if (old.size > checkpoint.size) throw new Failure('shrunk', `${old.size} → ${checkpoint.size}`);
    const proof = old.size === 0 ? [] : await tiles.consistency(old.size);
    await checkConsistency(old.size, checkpoint.size, proof, fromBase64(old.root), checkpoint.root);
    line(fill(words.continues, { size: old.size, when: old.when.slice(0, 16).replace('T', ' ') }));
  } else {
    line(words.first);
  }
  if (base64(await tiles.root()) !== base64(checkpoint.root)) throw new Failure('root', String(checkpoint.size));
  return { checkpoint, tiles };
};

const checkLog = async (key, isFull) => {
  const { checkpoint, tiles } = await start(key);
  const count = Math.ceil(checkpoint.size / 256);
  const hashTiles = chosen(count, isFull ? Infinity : 64);
  const entryTiles = new Set(chosen(count, isFull ? Infinity : 16));
  bar.max = hashTiles.length;
  bar.hidden = false;
  for (const [done, tile] of hashTiles.entries()) {
    await tiles.checkTile(tile);
    if (entryTiles.has(tile)) await tiles.checkEntries(tile);
    bar.value = done + 1;
  }
  line(fill(words.tiles, { tiles: hashTiles.length, of: count }));
  line(fill(words.leaves, { count: [...entryTiles].filter((tile) => hashTiles.includes(tile)).length, of: count }));
  const now = { size: checkpoint.size, root: base64(checkpoint.root), when: new Date().toISOString() };
  localStorage.setItem(memory(checkpoint.origin), JSON.stringify(now));
};

// What a leaf says in clear, the page says, too.
const agrees = (leaf, shown) => {
  if (leaf === null) return true;
  if (typeof leaf !== 'object') return leaf === shown;
  return shown !== null && typeof shown === 'object' && Object.keys(leaf).every((name) => agrees(leaf[name], shown[name] ?? null));
};

const checkEvent = async (key, position) => {
  const { checkpoint, tiles } = await start(key);
  if (position > checkpoint.size) throw new Failure('notYet', String(checkpoint.size));
  const index = position - 1;
  const leaf = (await tiles.entries(Math.floor(index / 256)))[index % 256];
  const proof = await tiles.inclusion(index);
  await checkInclusion(index, checkpoint.size, await leafHash(leaf), proof, checkpoint.root);
  line(fill(words.included, { position, size: checkpoint.size, count: proof.length }));
  const shown = await (await get(`/v1/events/${position}`)).json();
  const { sealed, ...clear } = JSON.parse(new TextDecoder().decode(leaf));
  if (clear.position !== position || !agrees(clear, shown)) throw new Failure('differs', String(position));
  line(words.agrees);
};

const run = async (isFull) => {
  list.replaceChildren();
  bar.hidden = true;
  verdict.className = '';
  verdict.textContent = words.running;
  const buttons = box.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  try {
    const key = await parseKey(field.value);
    localStorage.setItem('sijill.key', field.value.trim());
    if (box.dataset.position) await checkEvent(key, Number(box.dataset.position));
    else await checkLog(key, isFull);
    verdict.className = 'good';
    verdict.textContent = words.holds;
  } catch (error) {
    // A browser without Ed25519 has checked nothing.
    const cannot = error.name === 'NotSupportedError' || error.name === 'DataError';
    if (!cannot) line(fill(words[error.code] ?? words.failed, { detail: error.detail ?? String(error) }), false);
    verdict.className = 'bad';
    verdict.textContent = cannot ? words.cannot : words.broken;
  } finally {
    for (const button of buttons) button.disabled = false;
  }
};

if (canCheck()) {
  field.value = localStorage.getItem('sijill.key') ?? field.value;
  for (const button of box.querySelectorAll('button')) button.addEventListener('click', () => run(button.dataset.full !== undefined));
  box.querySelector('.controls').hidden = false;
} else {
  verdict.textContent = words.cannot;
}
