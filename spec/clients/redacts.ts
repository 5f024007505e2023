import { type HookDefinition, modify } from '../../lib/index.ts';

/** Removes the word `swordfish` from model messages, calls and their reported arguments included. */
export const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    postReasoning: (event) =>
      modify(event, { message: JSON.parse(JSON.stringify(event.message).replaceAll('swordfish', '[gone]')) }),
  },
};
