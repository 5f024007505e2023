import { type HookDefinition, modify, verdict } from '../../../../lib/index.ts';

/** Moves a call, and asks about it. */
export const guard: readonly HookDefinition[] = [
  {
    name: 'guard',
    on: {
      preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: '/safe' } } }),
    },
    approve: () => verdict.suspend('Really?'),
  },
];
