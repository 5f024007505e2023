import { type HookDefinition, modify } from '../../lib/index.ts';

/** Takes the word `swordfish` out of what a model has said, its calls and what is told of their arguments included. */
export const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    postReasoning: (event) =>
      modify(event, { message: JSON.parse(JSON.stringify(event.message).replaceAll('swordfish', '[gone]')) }),
  },
};
