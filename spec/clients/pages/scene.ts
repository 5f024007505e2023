import { defineHook, modify, verdict } from '../../../lib/index.ts';

/** Prompts before each call to `rm`. */
const ask = defineHook({
  name: 'asks',
  approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('may I?') : verdict.allow()),
});
/** Replaces a message and changes the colour of a call. */
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
/** A model turn that leads to a prompt. */
export const removes = { text: 'I will.', toolCalls: [{ name: 'rm', input: { path: 'a' } }] };
