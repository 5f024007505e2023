import { INTERRUPTED } from '../../../events/parts/interrupted.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { PreReasoning } from '../../../events/pre-reasoning.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { RuntimeEvent } from './runtime-kinds.ts';

/** Returns the event of an interrupted turn, with its known data. */
export function interrupted(kind: 'steering' | 'graceful' | 'hard_abort', known: JsonObject = {}): RuntimeEvent {
  const payload = { Kind: kind, Role: '', ContentLen: 0, QueueDepth: 0, HintLen: 0, ...known };
  return { kind: 'agent.interrupt.received', severity: 'info', payload };
}

/** Their host reports each message when it arrives, and all of them when they are added. Here both are known only when they are added. */
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

/** The hint in the last model step of a graceful interrupt reports it. At the step limit, the hint is different. */
export function gracefulEvents({ purpose, messages }: PreReasoning): RuntimeEvent[] {
  const hint = messages.at(-1);
  const isInterrupt = purpose === 'summary' && hint?.origin === 'hookline' && textOf(hint) === INTERRUPTED;
  return isInterrupt ? [interrupted('graceful', { HintLen: INTERRUPTED.length })] : [];
}
