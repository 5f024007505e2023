import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

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
  /** Messages of the user that came while the turn went on, and that this event, a preReasoning, is the first to hold. */
  readonly steering: readonly Message[];
  /** What steering stands behind: an answer or results, or the last message that the turn began with; nothing is known of a turn without preCall. */
  readonly behind: Message | 'answer' | undefined;
  /** How many messages behind the last answer were told as steering. */
  readonly steered: number;
}

/** Calls that are kept of a turn, and characters of what went wrong with one. */
const MOST_CALLS = 1_000;
const SUMMARY = 200;

/** Keeps a record of each turn whose events it is shown. */
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
      const said = repliesAfter(before.behind, event.messages);
      return { ...before, steering: said.slice(before.steered), steered: said.length };
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

/** What the user has said behind the last answer, or behind what the turn began with. Nobody can tell where hooks have changed that. */
function repliesAfter(begin: TurnRecord['behind'], messages: readonly Message[]): readonly Message[] {
  if (begin === undefined) return [];
  const answered = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  const tail = messages.slice(answered + 1);
  const first = begin === 'answer' ? undefined : canonicalJson(begin);
  const from = first === undefined ? 0 : tail.findLastIndex((one) => canonicalJson(one) === first) + 1;
  if (first !== undefined && from === 0) return [];
  return tail.slice(from).filter(({ role, origin }) => role === 'user' && origin === undefined);
}
