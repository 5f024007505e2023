import { type HookDefinition, modify } from '../../lib/index.ts';

/** The texts that a hook removes from answers and results, and seals into calls. */
export const TAKEN = ['sword', 'fish'].join('');
export const SEALED = ['trout', 'mask'].join('');

const clean = (text: string): string => text.replaceAll(TAKEN, 'gone').replaceAll(SEALED, 'sealed');

/** Removes the first from all output and puts the second into each call. */
export const redacting: HookDefinition = {
  name: 'redacting',
  redact: clean,
  on: {
    reasoningChunk: (event) => modify(event, { delta: clean(event.delta) }),
    preActing: (event, { seal }) =>
      modify(event, { toolCall: { ...event.toolCall, input: { at: seal('place', SEALED) } } }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
  },
};
