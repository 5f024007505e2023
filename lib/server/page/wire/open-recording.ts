import { type Signal, signal } from '@preact/signals';
import { readRecording, type Section } from '../model/read-recording.ts';
import { callApi, request } from './call-api.ts';
import { emptyRun, type OpenRun } from './open-run.ts';
import { textOf } from './sse-frames.ts';

/** Recordings up to this size are shown whole, in bytes: a browser tab has no memory for more. */
const WHOLE = 200_000_000;
/** Size of a part of a larger recording, in bytes. */
const PART = 50_000_000;

/** The part of a large recording to show: both ends, or one part by number. */
export type Part = 'ends' | number;

/** A recording, with the number of its parts; 0 if it is shown whole. */
export interface OpenRecording extends OpenRun {
  readonly parts: Signal<number>;
}

/** Reads a recording, of the server or a local file. A recording of the server that grows is followed. */
export function openRecording(source: string | File, part: Part = 'ends'): OpenRecording {
  const run = { ...emptyRun('reading'), parts: signal(0) };
  const { model, changed } = run;
  const stop = new AbortController();
  run.stop.push(() => stop.abort());
  const read = async (from: number, section?: Section): Promise<string | undefined> => {
    const follow = section?.goesOn !== true;
    const text = untilEnd(run, textOf(await bodyOf(source, from, follow, stop.signal)));
    return (await readRecording(text, model, pauses(changed), section)).error;
  };
  const readAll = async (): Promise<string | undefined> => {
    const size = await sizeOf(source);
    if (size <= WHOLE) return read(0);
    run.parts.value = Math.ceil(size / PART);
    if (part === 'ends') {
      const error = await read(0, { most: PART, goesOn: true });
      if (error !== undefined) return error;
      changed();
      model.gap();
      return read(size - PART, { fromStart: false });
    }
    const isLast = part >= run.parts.value - 1;
    return read(part * PART, { fromStart: part === 0, most: PART, goesOn: !isLast });
  };
  void (async () => {
    try {
      run.error.value = (await readAll()) ?? '';
    } catch (thrown) {
      if (!stop.signal.aborted)
        run.error.value = thrown instanceof Error ? thrown.message : 'The recording cannot be read.';
    }
    run.state.value = 'ended';
    run.version.value += 1;
  })();
  return run;
}

/** A recording that is followed ends with its run. */
async function* untilEnd(
  { model, changed }: ReturnType<typeof emptyRun>,
  text: AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const piece of text) {
    yield piece;
    changed();
    if (model.nodes[0]?.end) return;
  }
}

async function sizeOf(source: string | File): Promise<number> {
  if (source instanceof File) return source.size;
  const { body } = await callApi<{ recordings: readonly { id: string; bytes: number }[] }>('GET', '/api/recordings');
  // An unknown recording is rejected when it is read.
  return body?.recordings?.find(({ id }) => id === source)?.bytes ?? 0;
}

async function bodyOf(
  source: string | File,
  from: number,
  follow: boolean,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  if (source instanceof File) return source.slice(from).stream();
  const query = new URLSearchParams({ from: String(from), follow: String(follow) });
  const path = `/api/recordings/${encodeURIComponent(source)}?${query}`;
  const response = await request('GET', path, {}, undefined, signal);
  if (response.ok && response.body) return response.body;
  const { error } = await response.json().catch(() => ({ error: undefined }));
  throw new Error(error?.message ?? `The server answered ${response.status}.`);
}

/** The interval, in milliseconds, at which reading pauses so that the page can respond and draw. */
const SLICE = 40;
const DRAW = 600;

function pauses(changed: () => void): () => Promise<void> | undefined {
  let since = performance.now();
  let drawn = since;
  return () => {
    if (performance.now() - since < SLICE) return undefined;
    if (performance.now() - drawn > DRAW) {
      drawn = performance.now();
      changed();
    }
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
