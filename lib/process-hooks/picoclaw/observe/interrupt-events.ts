import { INTERRUPTED } from '../../../events/parts/interrupted.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { PreReasoning } from '../../../events/pre-reasoning.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { RuntimeEvent } from './runtime-kinds.ts';

/** That a turn was interrupted, with what is known of it. */
export function interrupted(kind: 'steering' | 'graceful' | 'hard_abort', known: JsonObject = {}): RuntimeEvent {
  const payload = { Kind: kind, Role: '', ContentLen: 0, QueueDepth: 0, HintLen: 0, ...known };
  return { kind: 'agent.interrupt.received', severity: 'info', payload };
}

/** Their host tells of each message when it comes, and of all of them when they are added; here both are known only then. */
export function steeringEvents(messages: readonly Message[]): RuntimeEvent[] {
  if (messages.length === 0) return [];
  const lengths = messages.map((message) => textOf(message).length);
  const payload = { Count: messages.length, TotalContentLen: lengths.reduce((sum, length) => sum + length, 0) };
  return [
    ...lengths.map((length, index) =>
      interrupted('steering', { Role: 'user', ContentLen: length, QueueDepth: index + 1 }),
    ),
    { kind: 'agent.steering.injected', severity: 'info', payload },
  ];
}

/** The last reasoning of a run that was interrupted tells so; at the limit of steps there is another hint. */
export function gracefulEvents({ purpose, messages }: PreReasoning): RuntimeEvent[] {
  const hint = messages.at(-1);
  const told = purpose === 'summary' && hint?.origin === 'hookline' && textOf(hint) === INTERRUPTED;
  return told ? [interrupted('graceful', { HintLen: INTERRUPTED.length })] : [];
}
