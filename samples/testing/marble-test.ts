// Testing a hook in virtual time: a batching hook, drawn as marbles. Nothing here waits for a clock.
import { defineHook, modify } from 'hookline';
import { anEvent, marbles } from 'hookline/testing';
import { bufferTime, filter, map } from 'rxjs';

/** Joins what the model says within five milliseconds, so that a slow screen gets fewer, larger pieces. */
const batch = defineHook({
  name: 'batch',
  through: {
    reasoningChunk: (chunks$, { scheduler }) =>
      chunks$.pipe(
        bufferTime(5, scheduler),
        filter((chunks) => chunks.length > 0),
        map((chunks) => modify(chunks[0]!, { delta: chunks.map(({ delta }) => delta).join('') })),
      ),
  },
});

const values = { a: anEvent.text('Hel'), b: anEvent.text('lo'), c: anEvent.text('!') };

marbles(({ pass, expectEvents }) => {
  //              012345678
  const spoken = 'ab----c|';
  expectEvents(pass(batch, spoken, values)).toShow([
    '5 reasoningChunk "Hello"',
    // The end does not wait for the clock: what is held back is flushed.
    '7 reasoningChunk "!"',
    '7 reasoningChunk last',
    '7 |',
  ]);
});
console.log('ok: the batching hook joins chunks and loses none');
