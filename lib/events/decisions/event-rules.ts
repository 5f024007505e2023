import type { EventOf, EventType, HookEvent } from '../hook-event.ts';
import type { DecisionAction } from './decision.ts';

/** Fields of an event that hooks may change, and decisions that its handlers may take. This table is the only source of these rules. */
export const eventRules = {
  preCall: { changes: ['messages'], decisions: ['respond', 'abort'] },
  preReasoning: { changes: ['messages', 'tools', 'model', 'options'], decisions: ['respond', 'abort'] },
  reasoningChunk: { changes: ['delta'], decisions: ['finish', 'abort'] },
  postReasoning: { changes: ['message'], decisions: ['retry', 'finish', 'abort'] },
  preActing: { changes: ['toolCall'], decisions: ['respond', 'deny', 'abort'] },
  actingChunk: { changes: ['content'], decisions: ['finish', 'abort'] },
  postActing: { changes: ['result'], decisions: ['finish', 'abort'] },
  postCall: { changes: ['message'], decisions: [] },
  error: { changes: [], decisions: ['respond', 'retry'] },
} as const satisfies Record<EventType, { changes: readonly string[]; decisions: readonly DecisionAction[] }>;

/** The nine event types, in the order of a run. */
export const eventTypes = Object.keys(eventRules) as readonly EventType[];

/** The fields of `E` that `modify` may change. */
export type ChangeableKey<E extends HookEvent> = (typeof eventRules)[E['type']]['changes'][number] & keyof E;

/** The changes that `modify` takes for `E`. */
export type ChangesOf<E extends HookEvent> = { readonly [K in ChangeableKey<E>]?: NonNullable<E[K]> };

/** Event types whose handlers may decide `A`. */
export type TypeDeciding<A extends DecisionAction> = {
  [T in EventType]: A extends (typeof eventRules)[T]['decisions'][number] ? T : never;
}[EventType];

/** Events whose handlers may decide `A`. */
export type EventDeciding<A extends DecisionAction> = EventOf<TypeDeciding<A>>;
