import type { Mutation } from './mutation.ts';

const suspend = ['agent/suspend'];
const loop = ['agent/loop.spec.ts', 'agent/order.spec.ts', 'agent/control.spec.ts'];

/** The loop of the agent: calls in their order, limits, what is remembered, suspend and resume. */
export const runs: readonly Mutation[] = [
  {
    file: 'agent/act-batch.ts',
    from: 'lifetime.cancel(`hook "${by.by}" ended the run`);',
    to: '',
    specs: loop,
  },
  {
    file: 'agent/in-call-order.ts',
    from: 'this.#running.size >= this.#concurrency',
    to: 'false',
    specs: [...loop, 'agent/call-order.spec.ts'],
  },
  {
    file: 'agent/in-call-order.ts',
    from: "call.parallel ? others.some((how) => how !== 'parallel') : others.length > 0",
    to: 'false',
    specs: ['agent/call-order.spec.ts'],
  },
  {
    file: 'agent/loop.ts',
    from: 'if (run.iteration >= scope.maxIterations)',
    to: 'if (run.iteration > scope.maxIterations)',
    specs: loop,
  },
  { file: 'agent/loop.ts', from: 'if (rollback) {', to: 'if (false) {', specs: ['agent/transcript', ...loop] },
  {
    file: 'agent/loop.ts',
    from: 'const ends = batch.abort || run.fatal !== undefined',
    to: 'const ends = run.fatal !== undefined',
    specs: ['agent/suspend', 'agent/transcript', ...loop],
  },
  {
    file: 'agent/transcript/close-orphans.ts',
    from: 'placeOf(a) - placeOf(b)',
    to: 'placeOf(b) - placeOf(a)',
    specs: ['agent/transcript', 'agent/suspend', ...loop],
  },
  {
    file: 'agent/loop.ts',
    from: 'if (control.graceful) return',
    to: 'if (false) return',
    specs: loop,
  },
  {
    file: 'agent/transcript/close-orphans.ts',
    from: 'if (answers.length > 0) index += 1;',
    to: '',
    specs: ['agent/transcript'],
  },
  {
    file: 'agent/transcript/session-queue.ts',
    from: 'line.taken = true;',
    to: '',
    specs: ['agent/transcript/session-queue.spec.ts'],
  },
  {
    file: 'agent/run-agent.ts',
    from: "if (ending.outcome === 'suspended') return conversation.commit();",
    to: '',
    specs: [...suspend, 'agent/transcript'],
  },
  {
    file: 'agent/suspend/snapshot.ts',
    from: "if (typeof version === 'number' && version !== SNAPSHOT_VERSION) {",
    to: 'if (false) {',
    specs: suspend,
  },
  {
    file: 'agent/suspend/snapshot.ts',
    from: 'if (unknown === undefined) return parsed.data;',
    to: 'return parsed.data;',
    specs: suspend,
  },
  { file: 'agent/suspend/resumption.ts', from: 'if (same) return;', to: 'return;', specs: suspend },
  {
    file: 'agent/suspend/resumption.ts',
    from: 'edited: { ...shown, id: toolCall.id }',
    to: 'edited: toolCall',
    specs: suspend,
  },
  {
    file: 'agent/suspend/resumption.ts',
    from: '&& { reason }), judged: shown };',
    to: '&& { reason }), judged };',
    specs: suspend,
  },
  {
    file: 'agent/suspend/sign-text.ts',
    from: 'if (!signature || !(await',
    to: 'if (!signature || (await',
    specs: suspend,
  },
  {
    file: 'pipeline/phases/pass.ts',
    from: 'if (scope.retries >= scope.settings.maxRetries) return false;',
    to: '',
    specs: [...loop, 'agent/recovery.spec.ts', 'pipeline/attempts.spec.ts'],
  },
  {
    file: 'pipeline/phases/conclude-call.ts',
    from: "if (post.outcome === 'executed') scope.retries = 0;",
    to: '',
    specs: ['pipeline/run/run.spec.ts'],
  },
];
