import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { isPrompt, textOf } from '../../../events/parts/messages.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** Data of a turn from earlier events. */
export interface TurnRecord {
  /** Time of preCall, in milliseconds. */
  readonly began: number | undefined;
  readonly userMessage: string;
  /** Names of tools that ran, without duplicates, in the order of their first calls. */
  readonly toolKinds: readonly string[];
  /** `{ name, success, error_summary? }` for each call that ran. */
  readonly toolExecutions: readonly JsonObject[];
  /** Number of consecutive failed model requests that were retried. */
  readonly retries: number;
  /** User messages that arrived during the turn and are new in this event, a preReasoning. */
  readonly steering: readonly Message[];
  /** The message before steering: an answer or results, or the last message of the input. Undefined for a turn without preCall. */
  readonly behind: Message | 'answer' | undefined;
  /** Number of messages after the last answer that were reported as steering. */
  readonly steered: number;
}

/** Maximum number of calls per turn, and of characters per error summary. */
const MOST_CALLS = 1_000;
const SUMMARY = 200;

/** Records each turn from its events. */
export function createTurnRecords(): (event: SettledEvent) => TurnRecord {
  const records = new WeakMap<RunInfo, TurnRecord>();
  return (event) => {
    const next = recorded(records.get(event.run) ?? NONE, event);
    records.set(event.run, next);
    return next;
  };
}

const NONE: TurnRecord = {
  ...{ began: undefined, userMessage: '', toolKinds: [], toolExecutions: [], retries: 0 },
  ...{ steering: [], behind: undefined, steered: 0 },
};

function recorded(known: TurnRecord, event: SettledEvent): TurnRecord {
  const before = known.steering.length === 0 ? known : { ...known, steering: [] };
  switch (event.type) {
    case 'preCall': {
      const userMessage = event.messages.map(textOf).join('\n');
      return { ...before, began: event.time, userMessage, behind: event.messages.at(-1) ?? 'answer' };
    }
    case 'preReasoning': {
      const replies = repliesAfter(before.behind, event.messages);
      return { ...before, steering: replies.slice(before.steered), steered: replies.length };
    }
    case 'postReasoning':
      return { ...before, retries: 0, behind: 'answer', steered: 0 };
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

/** Returns the user messages after the last answer, or after the input of the turn. If hooks changed that message, they are unknown. */
function repliesAfter(begin: TurnRecord['behind'], messages: readonly Message[]): readonly Message[] {
  if (begin === undefined) return [];
  const answered = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  const tail = messages.slice(answered + 1);
  const first = begin === 'answer' ? undefined : canonicalJson(begin);
  const from = first === undefined ? 0 : tail.findLastIndex((one) => canonicalJson(one) === first) + 1;
  if (first !== undefined && from === 0) return [];
  return tail.slice(from).filter(isPrompt);
}
