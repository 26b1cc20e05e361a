// The console's reading of logs beside the files of audit/sample, and beside trees made here; `node --test`.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, mkdtemp, writeFile, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
// Under the name of a module: the folder has no package.json that would say so.
const place = `${await mkdtemp(`${tmpdir()}/tlog-`)}/tlog.mjs`;
await copyFile(new URL('Sources/Console/Assets/tlog.js', root), place);
const log = await import(place);

const sample = (name) => readFile(new URL(`audit/sample/${name}`, root), 'utf8');
const key = await log.parseKey(await sample('log.vkey'));
const refused = (promise, code) => assert.rejects(promise, (error) => error.code === code || (code === undefined && error instanceof Error));

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const leaf = (data) => sha256(Buffer.from([0]), data);
const node = (left, right) => sha256(Buffer.from([1]), left, right);
// RFC 9162, 2.1.1, as it is written there.
const rootOf = (leaves) => {
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
};

// A log of so many leaves, as tiles.
const madeOf = (size) => {
  const data = [...Array(size).keys()].map((index) => Buffer.from(`{"position":${index + 1}}`));
  const levels = [data.map(leaf)];
  while (levels.at(-1).length >= 256) {
    const below = levels.at(-1);
    levels.push([...Array(Math.floor(below.length / 256)).keys()].map((tile) => rootOf(below.slice(tile * 256, tile * 256 + 256))));
  }
  const read = async (path) => {
    const [, first, tile, width] = /^(\w+)\/(?:x\d{3}\/)*(\d{3})(?:\.p\/(\d+))?$/.exec(path);
    const start = Number(tile) * 256;
    const count = Number(width ?? 256);
    if (first !== 'entries') return new Uint8Array(Buffer.concat(levels[Number(first)].slice(start, start + count)));
    const parts = data.slice(start, start + count).flatMap((bytes) => [Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
    return new Uint8Array(Buffer.concat(parts));
  };
  return { data, levels, read, root: new Uint8Array(rootOf(levels[0])) };
};

test('the files of the sample hold', async () => {
  assert.equal((await log.checkFile(await sample('checkpoint'), key)).size, 5);
  assert.deepEqual(
    (({ kind, position, size }) => [kind, position, size])(await log.checkFile(await sample('event-1.tlog-proof'), key)),
    ['inclusion', 1, 5]);
  assert.deepEqual(await log.checkFile(await sample('3-to-5.consistency-proof'), key), { kind: 'consistency', size: 3, later: 5 });
});

test('no character of a proof can change unnoticed', async () => {
  for (const name of ['event-1.tlog-proof', '3-to-5.consistency-proof']) {
    const text = await sample(name);
    // What a witness signed is not looked at here.
    const counted = text.split('\n').map((line) => (line.startsWith('— witness') ? '' : line));
    let at = 0;
    for (const line of text.split('\n')) {
      const isCounted = counted.shift() !== '';
      for (let place = 0; isCounted && place < line.length; place += 1) {
        const sign = line[place] === 'A' ? 'B' : 'A';
        await refused(log.checkFile(text.slice(0, at + place) + sign + text.slice(at + place + 1), key));
      }
      at += line.length + 1;
    }
  }
});

test('a key whose hash is not its own is refused', async () => {
  const text = await sample('log.vkey');
  await refused(log.parseKey(text.replace(/\+[0-9a-f]{8}\+/, '+00000000+')), 'key');
  await refused(log.parseKey(await sample('witness1.vkey')), 'key');
});

test('tiles lead to the root, to every leaf, and from every earlier size', async () => {
  for (const size of [1, 2, 3, 7, 255, 256, 257, 700, 1024]) {
    const made = madeOf(size);
    const tiles = new log.Tiles(size, made.read);
    assert.deepEqual(await tiles.root(), made.root);
    for (const index of new Set([0, size >> 1, size - 1])) {
      await log.checkInclusion(index, size, await log.leafHash(made.data[index]), await tiles.inclusion(index), made.root);
    }
    for (const first of new Set([1, (size >> 1) || 1, size])) {
      const old = new Uint8Array(rootOf(made.levels[0].slice(0, first)));
      await log.checkConsistency(first, size, await tiles.consistency(first), old, made.root);
      if (first > 0) await refused(log.checkConsistency(first, size, await tiles.consistency(first), made.root.map((byte) => byte ^ 1), made.root), 'consistency');
    }
    for (let tile = 0; tile * 256 < size; tile += 1) {
      await tiles.checkTile(tile);
      await tiles.checkEntries(tile);
    }
  }
});

test('a flipped bit in a tile or in an entry is found', async () => {
  const made = madeOf(700);
  for (const [path, check, code] of [
    ['0/001', (tiles) => tiles.checkTile(1), 'tile'], ['0/002.p/188', (tiles) => tiles.checkTile(2), undefined],
    ['entries/001', (tiles) => tiles.checkEntries(1), 'leaf']]) {
    for (const at of [0, 31, 4000]) {
      const read = async (asked) => {
        const bytes = await made.read(asked);
        if (asked === path) bytes[Math.min(at, bytes.length - 1)] ^= 4;
        return bytes;
      };
      const tiles = new log.Tiles(700, read);
      const looked = async () => {
        await check(tiles);
        assert.deepEqual(await tiles.root(), made.root);
      };
      await refused(looked(), path === 'entries/001' && at === 0 ? undefined : code);
    }
  }
});

test('a log that has fewer leaves than before is refused', async () => {
  const made = madeOf(7);
  await refused(log.checkConsistency(8, 7, [], made.root, made.root), 'shrunk');
});
