// Checkpoints, tiles and proofs of a transparency log (C2SP signed-note, tlog-checkpoint, tlog-tiles, tlog-proof; RFC 9162).
// What does not hold is thrown as a Failure, whose code says what it was.
export class Failure extends Error {
  constructor(code, detail = '') {
    super(`${code} ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

export const canCheck = () => Boolean(globalThis.crypto?.subtle);

const concat = (parts) => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', concat(parts)));
export const leafHash = (data) => sha256([0], data);
const nodeHash = (left, right) => sha256([1], left, right);
const same = (left, right) => left.length === right.length && left.every((byte, index) => byte === right[index]);
const bytesOf = (text) => new TextEncoder().encode(text);
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
export const fromBase64 = (text) => {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    throw new Failure('form', text.slice(0, 40));
  }
  // One form only, the unused bits zero: no bit of what counts can change unnoticed.
  if (base64(bytes) !== text) throw new Failure('form', text.slice(0, 40));
  return bytes;
};
const hashOf = (text) => {
  const bytes = fromBase64(text);
  if (bytes.length !== 32) throw new Failure('form', text.slice(0, 40));
  return bytes;
};

// A verifier key: NAME+HASH+KEY.
export const parseKey = async (text) => {
  const parts = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim());
  if (!parts) throw new Failure('key', text.slice(0, 60));
  const key = fromBase64(parts[3]);
  const hash = (await sha256(bytesOf(parts[1]), [10], key)).slice(0, 4);
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (key.length !== 33 || key[0] !== 1 || hex !== parts[2]) throw new Failure('key', text.slice(0, 60));
  return { name: parts[1], hash, raw: key.slice(1) };
};

export const parseCheckpoint = (note) => {
  const end = note.indexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new Failure('form', 'checkpoint');
  const text = note.slice(0, end + 1);
  const [origin, size, root] = text.split('\n');
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) throw new Failure('form', 'size');
  return { origin, size: Number(size), root: hashOf(root), text, signatures: note.slice(end + 2).trimEnd().split('\n') };
};

// The checkpoint, if the key signed it and it is of the log of the key's name.
export const openCheckpoint = async (note, key) => {
  const found = parseCheckpoint(note);
  const verifier = await crypto.subtle.importKey('raw', key.raw, { name: 'Ed25519' }, false, ['verify']);
  if (found.origin !== key.name) throw new Failure('origin', found.origin);
  for (const line of found.signatures) {
    const parts = /^\u2014 (\S+) (\S+)$/.exec(line);
    if (!parts) throw new Failure('form', line.slice(0, 60));
    const signature = fromBase64(parts[2]);
    if (parts[1] !== key.name || !same(signature.slice(0, 4), key.hash)) continue;
    if (await crypto.subtle.verify({ name: 'Ed25519' }, verifier, signature.slice(4), bytesOf(found.text))) return found;
    throw new Failure('signature', key.name);
  }
  throw new Failure('unsigned', key.name);
};

// RFC 9162, 2.1.3.2.
export const checkInclusion = async (index, size, leaf, proof, root) => {
  if (index >= size) throw new Failure('inclusion', String(index));
  let [place, last, hash] = [index, size - 1, leaf];
  for (const other of proof) {
    if (last === 0) throw new Failure('inclusion', String(index));
    if (place % 2 === 1 || place === last) {
      hash = await nodeHash(other, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      hash = await nodeHash(hash, other);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !same(hash, root)) throw new Failure('inclusion', String(index));
};

// RFC 9162, 2.1.4.2.
export const checkConsistency = async (first, second, proof, firstRoot, secondRoot) => {
  const failure = new Failure('consistency', `${first} → ${second}`);
  if (first > second) throw new Failure('shrunk', `${first} → ${second}`);
  if (first === second) {
    if (proof.length > 0 || !same(firstRoot, secondRoot)) throw failure;
    return;
  }
  if (first === 0) return;
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof];
  let [place, last] = [first - 1, second - 1];
  while (place % 2 === 1) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  if (path.length === 0) throw failure;
  let [old, now] = [path[0], path[0]];
  for (const other of path.slice(1)) {
    if (last === 0) throw failure;
    if (place % 2 === 1 || place === last) {
      old = await nodeHash(other, old);
      now = await nodeHash(other, now);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      now = await nodeHash(now, other);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !same(old, firstRoot) || !same(now, secondRoot)) throw failure;
};

// The root above all leaves that are added, one after another.
export class Root {
  stack = [];
  size = 0;
  async add(leaf) {
    let hash = leaf;
    for (let place = this.size; place % 2 === 1; place = Math.floor(place / 2)) hash = await nodeHash(this.stack.pop(), hash);
    this.stack.push(hash);
    this.size += 1;
  }
  async value() {
    if (this.size === 0) return sha256();
    let hash = this.stack.at(-1);
    for (const left of this.stack.slice(0, -1).reverse()) hash = await nodeHash(left, hash);
    return hash;
  }
}

const placeOf = (index) => {
  const groups = [];
  for (let rest = index; ; rest = Math.floor(rest / 1000)) {
    groups.unshift(String(rest % 1000).padStart(3, '0'));
    if (rest < 1000) break;
  }
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
};

// The tiles of a log of so many leaves; `read` answers the bytes below `tile/`.
export class Tiles {
  constructor(size, read) {
    this.size = size;
    this.read = read;
    this.kept = new Map();
  }
  width(level, tile) {
    return Math.min(256, Math.floor(this.size / 256 ** level) - tile * 256);
  }
  async tile(level, tile) {
    const width = this.width(level, tile);
    const path = `${level}/${placeOf(tile)}${width < 256 ? `.p/${width}` : ''}`;
    if (!this.kept.has(path)) {
      const bytes = await this.read(path);
      if (bytes.length !== width * 32) throw new Failure('tile', path);
      const hashes = [];
      for (let at = 0; at < bytes.length; at += 32) hashes.push(bytes.slice(at, at + 32));
      if (this.kept.size > 64) this.kept.clear();
      this.kept.set(path, hashes);
    }
    return this.kept.get(path);
  }
  // Of the complete subtree of 2^level leaves.
  async node(level, index) {
    const [high, low] = [Math.floor(level / 8), level % 8];
    const first = index * 2 ** low;
    let hashes = (await this.tile(high, Math.floor(first / 256))).slice(first % 256, (first % 256) + 2 ** low);
    while (hashes.length > 1) {
      const above = [];
      for (let at = 0; at < hashes.length; at += 2) above.push(await nodeHash(hashes[at], hashes[at + 1]));
      hashes = above;
    }
    if (!hashes[0]) throw new Failure('tile', `${high}/${index}`);
    return hashes[0];
  }
  async range(low, high) {
    const count = high - low;
    const level = Math.log2(count);
    if (Number.isInteger(level) && low % count === 0) return this.node(level, low / count);
    const split = 2 ** Math.ceil(level - 1);
    return nodeHash(await this.range(low, low + split), await this.range(low + split, high));
  }
  root() {
    return this.size === 0 ? sha256() : this.range(0, this.size);
  }
  // RFC 9162, 2.1.3.1.
  async inclusion(index, low = 0, high = this.size) {
    if (high - low === 1) return [];
    const split = 2 ** Math.ceil(Math.log2(high - low) - 1);
    return index - low < split
      ? [...await this.inclusion(index, low, low + split), await this.range(low + split, high)]
      : [...await this.inclusion(index, low + split, high), await this.range(low, low + split)];
  }
  // RFC 9162, 2.1.4.1.
  async consistency(first, low = 0, high = this.size, isWhole = true) {
    const count = high - low;
    if (first === count) return isWhole ? [] : [await this.range(low, high)];
    const split = 2 ** Math.ceil(Math.log2(count) - 1);
    return first <= split
      ? [...await this.consistency(first, low, low + split, isWhole), await this.range(low + split, high)]
      : [...await this.consistency(first - split, low + split, high, false), await this.range(low, low + split)];
  }
  // A tile of leaves' hashes is what the tile above says of it.
  async checkTile(tile) {
    const root = new Root();
    for (const hash of await this.tile(0, tile)) await root.add(hash);
    const count = root.size;
    const above = count === 256 && this.size >= 256 ? await this.node(8, tile) : await this.range(tile * 256, tile * 256 + count);
    if (!same(await root.value(), above)) throw new Failure('tile', placeOf(tile));
  }
  async entries(tile) {
    const width = this.width(0, tile);
    const path = `entries/${placeOf(tile)}${width < 256 ? `.p/${width}` : ''}`;
    const bytes = await this.read(path);
    const leaves = [];
    for (let at = 0; at < bytes.length;) {
      const length = bytes[at] * 256 + bytes[at + 1];
      leaves.push(bytes.slice(at + 2, at + 2 + length));
      at += 2 + length;
    }
    if (leaves.length !== width) throw new Failure('entries', path);
    return leaves;
  }
  // Leaves are what the tile of their hashes says.
  async checkEntries(tile) {
    const [hashes, leaves] = [await this.tile(0, tile), await this.entries(tile)];
    for (const [at, leaf] of leaves.entries()) {
      if (!same(await leafHash(leaf), hashes[at])) throw new Failure('leaf', String(tile * 256 + at + 1));
    }
  }
}

// A file of a log: a proof, or a checkpoint. Answers what it shows.
export const checkFile = async (text, key) => {
  if (text.startsWith('c2sp.org/tlog-proof@v1\n')) {
    const end = text.indexOf('\n\n');
    const [, ...lines] = text.slice(0, end).split('\n');
    const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift().slice(6)) : null;
    const index = Number(/^index (\d{1,15})$/.exec(lines.shift() ?? '')?.[1] ?? NaN);
    if (!extra || Number.isNaN(index)) throw new Failure('form', 'tlog-proof');
    const checkpoint = await openCheckpoint(text.slice(end + 2), key);
    await checkInclusion(index, checkpoint.size, await leafHash(extra), lines.map(hashOf), checkpoint.root);
    return { kind: 'inclusion', position: index + 1, size: checkpoint.size, leaf: new TextDecoder().decode(extra) };
  }
  if (text.startsWith('sijill/consistency-proof@v1\n')) {
    const parts = text.split('\n\n');
    if (parts.length !== 5) throw new Failure('form', 'consistency-proof');
    const proof = parts[0].split('\n').slice(1).map(hashOf);
    const first = await openCheckpoint(`${parts[1]}\n\n${parts[2]}\n`, key);
    const second = await openCheckpoint(`${parts[3]}\n\n${parts[4]}`, key);
    await checkConsistency(first.size, second.size, proof, first.root, second.root);
    return { kind: 'consistency', size: first.size, later: second.size };
  }
  const checkpoint = await openCheckpoint(text, key);
  return { kind: 'checkpoint', size: checkpoint.size, root: base64(checkpoint.root) };
};
