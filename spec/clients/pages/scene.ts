import { defineHook, modify, verdict } from '../../../lib/index.ts';

/** Asks before each call of `rm`. */
const ask = defineHook({
  name: 'asks',
  approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('may I?') : verdict.allow()),
});
/** Takes back what was said, and paints in another colour. */
const polite = defineHook({
  name: 'polite',
  on: {
    preActing: (event) =>
      event.toolCall.name === 'paint'
        ? modify(event, { toolCall: { ...event.toolCall, input: { colour: 'blue' } } })
        : undefined,
    postReasoning: (event) =>
      event.message.parts.some((part) => part.type === 'text' && part.text === 'Damn.')
        ? modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text: 'Oh.' }] } })
        : undefined,
  },
});

/** The hooks of an agent that a page shows. */
export const hooks = [ask, polite];
/** A turn of its model that is asked about. */
export const removes = { text: 'I will.', toolCalls: [{ name: 'rm', input: { path: 'a' } }] };
