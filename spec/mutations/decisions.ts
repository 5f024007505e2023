import type { Mutation } from './mutation.ts';

const gate = ['pipeline/gate'];

/** What hooks may decide, what is taken of it, and which decision is stronger. */
export const decisions: readonly Mutation[] = [
  { file: 'events/decisions/decision.ts', from: 'deny: 3,', to: 'deny: 0,', specs: gate },
  { file: 'events/decisions/decision.ts', from: 'finish: 2,', to: 'finish: 0,', specs: gate },
  {
    file: 'events/decisions/event-rules.ts',
    from: "decisions: ['respond', 'deny', 'abort']",
    to: "decisions: ['respond', 'abort']",
    specs: gate,
  },
  {
    file: 'events/decisions/event-rules.ts',
    from: "postCall: { changes: ['message'], decisions: [] }",
    to: "postCall: { changes: ['message'], decisions: ['abort'] }",
    specs: ['events', ...gate],
  },
  {
    file: 'events/decisions/decide.ts',
    from: 'if (!allowed.includes(decision.action)) {',
    to: 'if (false) {',
    specs: ['events', ...gate],
  },
  {
    file: 'events/decisions/modify.ts',
    from: 'if (allowed.includes(key)) return;',
    to: 'return;',
    specs: ['events', ...gate],
  },
  {
    file: 'events/decisions/abort.ts',
    from: '...(options?.rollback && {',
    to: '...(false && {',
    specs: ['agent/transcript', 'agent/loop.spec.ts'],
  },
  {
    file: 'events/decisions/decisions-taken.ts',
    from: 'return decisions.decided.has(originOf(event));',
    to: 'return false;',
    specs: gate,
  },
  {
    file: 'pipeline/gate/accept.ts',
    from: 'decisionStrictness[wanted] <= decisionStrictness[current]',
    to: 'decisionStrictness[wanted] < decisionStrictness[current]',
    specs: gate,
  },
  {
    file: 'pipeline/gate/accept.ts',
    from: "if (event.type === 'preActing' && event.decision?.action === 'respond' && 'toolCall' in changes) {",
    to: 'if (false) {',
    specs: ['pipeline/calls'],
  },
  {
    file: 'pipeline/gate/accept.ts',
    from: 'if (run !== event.run && run?.runId !== event.run.runId)',
    to: 'if (false)',
    specs: gate,
  },
  {
    file: 'pipeline/gate/accept.ts',
    from: "if ('toolCall' in event && toolCall?.id !== event.toolCall.id) {",
    to: 'if (false) {',
    specs: [...gate, 'pipeline/calls'],
  },
  {
    file: 'pipeline/gate/accept-decision.ts',
    from: 'if (!allowed.includes(action)) {',
    to: 'if (false) {',
    specs: gate,
  },
  {
    file: 'pipeline/gate/accept-decision.ts',
    from: '{ ...taken, ...injected, by: hook.name }',
    to: '{ ...taken, ...injected }',
    specs: gate,
  },
];
