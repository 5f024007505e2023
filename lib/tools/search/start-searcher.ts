import { Worker } from 'node:worker_threads';

/** A matching line. A long `text` is shortened around the match. */
export interface Hit {
  readonly line: number;
  readonly text: string;
}

/** Searches one text after another, in a worker thread. */
export interface Searcher {
  /** Returns at most `limit` matching lines of `text`. Rejects if the search is stopped. */
  search(text: string, limit: number): Promise<Hit[]>;
  /** Terminates the thread. */
  stop(): Promise<void>;
}

// JavaScript as text, so that it works from source, from the build and from a bundle.
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const expression = new RegExp(workerData.source, workerData.flags);
const shorten = (line, at) => {
  if (line.length <= 300) return line;
  const from = Math.max(0, at - 100);
  return (from > 0 ? '…' : '') + line.slice(from, from + 300) + (from + 300 < line.length ? '…' : '');
};
parentPort.on('message', ({ text, limit }) => {
  const hits = [];
  const lines = text.split(/\\r?\\n/);
  for (let index = 0; index < lines.length && hits.length < limit; index += 1) {
    const at = lines[index].search(expression);
    if (at >= 0) hits.push({ line: index + 1, text: shorten(lines[index], at) });
  }
  parentPort.postMessage(hits);
});`;

/** Starts a thread that searches with `expression`. A regular expression that does not end blocks only this thread, and `signal` terminates it. */
export function startSearcher({ source, flags }: RegExp, signal: AbortSignal): Searcher {
  // Omits the host's arguments, which may preload modules, and its environment, which is not needed.
  const resourceLimits = { maxOldGenerationSizeMb: 256 };
  const worker = new Worker(program, {
    eval: true,
    execArgv: [],
    env: {},
    resourceLimits,
    workerData: { source, flags },
  });
  let answer = (_hits: Hit[]): void => {};
  worker.on('message', (hits: Hit[]) => answer(hits));
  const failure = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The search was stopped.')));
  });
  failure.catch(() => {});
  const stop = async () => {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) void stop();
  const search = (text: string, limit: number) =>
    new Promise<Hit[]>((resolve) => {
      answer = resolve;
      worker.postMessage({ text, limit });
    });
  return { search: (text, limit) => Promise.race([failure, search(text, limit)]), stop };
}
