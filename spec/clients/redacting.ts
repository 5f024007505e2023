import { type HookDefinition, modify } from '../../lib/index.ts';

/** What a hook takes out of answers and results, and what it seals into calls. */
export const TAKEN = ['sword', 'fish'].join('');
export const SEALED = ['trout', 'mask'].join('');

const clean = (text: string): string => text.replaceAll(TAKEN, 'gone').replaceAll(SEALED, 'sealed');

/** Takes the one out of all that leaves, and puts the other into each call. */
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
