import type { Settled } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/json-value.ts';
import { textOf } from '../../events/messages.ts';
import type { RunInfo } from '../../events/run-info.ts';

/** What is known of a turn besides the event at hand. */
export interface TurnRecord {
  /** The time of preCall, in milliseconds. */
  readonly began: number | undefined;
  readonly userMessage: string;
  /** The tools that ran, each once, in the order of their first call. */
  readonly toolKinds: readonly string[];
  /** `{ name, success, error_summary? }` for each call that ran. */
  readonly toolExecutions: readonly JsonObject[];
  /** How often in a row the model has failed and was asked again. */
  readonly retries: number;
}

/** Calls that are kept of a turn, and characters of what went wrong with one. */
const MOST_CALLS = 1_000;
const SUMMARY = 200;

/** Keeps a record of each turn whose events it is shown. */
export function createTurnRecords(): (event: Settled) => TurnRecord {
  const records = new WeakMap<RunInfo, TurnRecord>();
  return (event) => {
    const next = recorded(records.get(event.run) ?? NONE, event);
    records.set(event.run, next);
    return next;
  };
}

const NONE: TurnRecord = { began: undefined, userMessage: '', toolKinds: [], toolExecutions: [], retries: 0 };

function recorded(before: TurnRecord, event: Settled): TurnRecord {
  switch (event.type) {
    case 'preCall':
      return { ...before, began: event.time, userMessage: event.messages.map(textOf).join('\n') };
    case 'postReasoning':
      return before.retries === 0 ? before : { ...before, retries: 0 };
    case 'error':
      return event.phase === 'reasoning' && event.decision?.action === 'retry'
        ? { ...before, retries: before.retries + 1 }
        : before;
    case 'postActing': {
      const { outcome, toolCall, result } = event;
      if (outcome === 'denied' || outcome === 'skipped' || before.toolExecutions.length >= MOST_CALLS) return before;
      const { name } = toolCall;
      const summary = result.isError && { error_summary: result.content.slice(0, SUMMARY) };
      return {
        ...before,
        toolKinds: before.toolKinds.includes(name) ? before.toolKinds : [...before.toolKinds, name],
        toolExecutions: [...before.toolExecutions, { name, success: !result.isError, ...summary }],
      };
    }
    default:
      return before;
  }
}
