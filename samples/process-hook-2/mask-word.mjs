#!/usr/bin/env node
// A hook of protocol 2: masks a word in all chunks, across their borders, counts with the run, and logs.
import { createInterface } from 'node:readline';

const word = process.argv[2] ?? 'swordfish';
const held = new Map(); // stream -> the end of its text that may become the word
const waiting = new Map(); // id of a call to the host -> who waits for it
let calls = 0;

const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tell = (method, params) => say({ method, params });
const call = (method, params) =>
  new Promise((resolve, reject) => {
    const id = `own-${++calls}`;
    waiting.set(id, { resolve, reject });
    say({ id, method, params });
  });

async function count(run, found) {
  const { value } = await call('host.state.get', { run, key: 'masked' });
  await call('host.state.set', { run, key: 'masked', value: (value ?? 0) + found });
  tell('host.log', { run, message: 'masked a word', data: { times: found } });
}

const methods = {
  'hook.hello': () => ({ protocol: 2 }),
  'hook.discard': ({ stream }) => held.delete(stream),
  async 'hook.chunks'({ stream, run, chunks, last }) {
    const parts = ((held.get(stream) ?? '') + chunks.join('')).split(word);
    const rest = parts.pop();
    let keep = last ? 0 : Math.min(word.length - 1, rest.length);
    while (keep > 0 && !word.startsWith(rest.slice(-keep))) keep--;
    const text = [...parts, rest.slice(0, rest.length - keep)].join('*'.repeat(word.length));
    if (last) held.delete(stream);
    else held.set(stream, rest.slice(rest.length - keep));
    if (parts.length > 0) await count(run, parts.length);
    return { chunks: [text] };
  },
};

async function serve({ id, method, params }) {
  try {
    const result = await (methods[method]?.(params) ?? {});
    if (id !== undefined) say({ id, result });
  } catch ({ message }) {
    if (id !== undefined) say({ id, error: { code: -32000, message } });
  }
}

let turn = Promise.resolve();
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const waits = waiting.get(message.id);
  if (message.method) turn = turn.then(() => serve(message));
  else if (message.error) waits?.reject(new Error(message.error.message));
  else waits?.resolve(message.result);
});
