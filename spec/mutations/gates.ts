import type { Mutation } from './mutation.ts';

const gate = ['pipeline/gate'];
const calls = ['pipeline/calls'];

/** The way of an event through its handlers and approvers, with their time limits, and the way of a call to its tool. */
export const gates: readonly Mutation[] = [
  {
    file: 'pipeline/gate/gate.ts',
    from: "return action === 'deny' || action === 'finish' || action === 'abort';",
    to: "return action === 'finish' || action === 'abort';",
    specs: gate,
  },
  {
    file: 'pipeline/gate/gate.ts',
    from: "if (stage.hook.onFailure === 'block' && event.type !== 'preActing') return undefined;",
    to: '',
    specs: gate,
  },
  {
    file: 'pipeline/gate/gate.ts',
    from: "if (stage.hook.onFailure === 'skip') return",
    to: 'return',
    specs: gate,
  },
  {
    file: 'pipeline/gate/gate.ts',
    from: 'if (count > 1) return this.failed(',
    to: 'if (false) return this.failed(',
    specs: gate,
  },
  {
    file: 'pipeline/gate/gate.ts',
    from: 'throw CANCELLED;',
    to: '',
    specs: ['pipeline/run', 'agent/cancelled.spec.ts', 'agent/failures/teardowns.spec.ts'],
  },
  {
    file: 'pipeline/gate/gate.ts',
    from: "'permission' in event ? event.permission :",
    to: "'permission' in event ? 'external' :",
    specs: [...gate, ...calls, 'pipeline/phases', 'pipeline/behaviour-matrix.spec.ts'],
  },
  { file: 'pipeline/gate/judge.ts', from: 'if (count > 1) throw', to: 'if (count > 2) throw', specs: gate },
  { file: 'pipeline/gate/judge.ts', from: 'if (no) {', to: 'if (false) {', specs: [...gate, 'agent/suspend'] },
  {
    file: 'pipeline/gate/judge.ts',
    from: 'if (isOver(step, event, index)) return event;',
    to: '',
    specs: gate,
  },
  {
    file: 'pipeline/gate/judge.ts',
    from: "const before = event.decision?.action === 'suspend' ? event.decision : {};",
    to: 'const before = {};',
    specs: gate,
  },
  {
    file: 'pipeline/gate/judge.ts',
    from: 'if (!sameCall(toolCall, answer.judged)) return asked;',
    to: '',
    specs: [...gate, 'agent/suspend'],
  },
  {
    file: 'pipeline/gate/judge.ts',
    from: 'const reason = failure.hook === undefined',
    to: 'return ALLOWED; const reason = failure.hook === undefined',
    specs: gate,
  },
  {
    file: 'pipeline/define/plan.ts',
    from: '(!names || names(tool)) && (!permissions',
    to: '(!names || names(tool)) || (!permissions',
    specs: [...gate, 'pipeline/define', ...calls],
  },
  {
    file: 'pipeline/run/handler-timeout.ts',
    from: 'const ms = hook.timeoutMs ?? timing.ms;',
    to: 'const ms = timing.ms;',
    specs: ['pipeline/run', ...gate],
  },
  {
    file: 'pipeline/run/handler-timeout.ts',
    from: 'this.#lease?.expire(this.why);',
    to: '',
    specs: ['pipeline/run', ...gate],
  },
  {
    file: 'pipeline/phases/acting-phase.ts',
    from: "pre.decision?.action === 'deny' || pre.decision?.action === 'abort';",
    to: "pre.decision?.action === 'deny';",
    specs: [...calls, ...gate],
  },
  { file: 'pipeline/phases/acting-phase.ts', from: '  vault.close();', to: '', specs: calls },
  {
    file: 'pipeline/phases/acting-phase.ts',
    from: "if (decision?.action === 'suspend') return undefined;",
    to: '',
    specs: [...gate, 'agent/suspend'],
  },
  {
    file: 'pipeline/phases/acting-phase.ts',
    from: 'if (turn) yield* wait(turn);',
    to: '',
    specs: ['agent/call-order.spec.ts'],
  },
  {
    file: 'pipeline/calls/vault.ts',
    from: 'if (secret?.hook === hook) secret.places.set(path, name);',
    to: 'secret?.places.set(path, name);',
    specs: calls,
  },
  {
    file: 'pipeline/calls/vault.ts',
    from: 'if (!secret?.places.has(path)) return undefined;',
    to: 'if (!secret) return undefined;',
    specs: calls,
  },
  { file: 'pipeline/calls/prepare-call.ts', from: 'if (leaks(visible, sealed) ||', to: 'if (', specs: calls },
];
