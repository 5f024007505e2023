import { type HookDefinition, modify, verdict } from '../../../../lib/index.ts';

/** Rewrites a call and prompts for it. */
export const guard: readonly HookDefinition[] = [
  {
    name: 'guard',
    on: {
      preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: '/safe' } } }),
    },
    approve: () => verdict.suspend('Really?'),
  },
];
