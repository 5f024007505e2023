import { z } from 'zod';
import { type CallPrint, hasGrown } from './call-print.ts';

/** A call, and the turn of the conversation that contains it. Calls of one turn do not see each other's results. */
export interface CallMade extends CallPrint {
  readonly tool: string;
  readonly turn: string;
}

/** The calls of a run. */
export interface CallLine {
  /** The parent's calls when the run began. */
  readonly before: readonly CallMade[];
  /** The calls since then. Calls of a sub-agent replace the call that ran it. */
  readonly since: readonly CallMade[];
  /** The run's own calls only. */
  readonly own: readonly CallMade[];
}

/** Earlier versions saved one string per call. */
const saved = z.union([z.string(), z.array(z.string().regex(/^[^ ]+ [^ ]+ /)).readonly()]);

/** The line in the state of a run: one text for each list, with a line for each call, because state is checked and copied on each change. */
export const savedLineSchema = z.strictObject({ before: saved, since: saved, own: saved });
export type SavedLine = z.infer<typeof savedLineSchema>;

/** Converts a line to a state. */
export function saveLine({ before, since, own }: CallLine): SavedLine {
  return { before: saveCalls(before), since: saveCalls(since), own: saveCalls(own) };
}

/** Converts a state to a line. */
export function readLine({ before, since, own }: SavedLine): CallLine {
  const read = (calls: string | readonly string[]) =>
    (typeof calls === 'string' ? calls.split('\n').filter((text) => text !== '') : calls).map(readCall);
  const calls = read(since);
  return { before: read(before), since: calls, own: own === since ? calls : read(own) };
}

const savedLists = new WeakMap<readonly CallMade[], string>();

function saveCalls(calls: readonly CallMade[]): string {
  const known = savedLists.get(calls);
  if (known !== undefined) return known;
  const text = calls.map(saveCall).join('\n');
  savedLists.set(calls, text);
  return text;
}

const savedCalls = new WeakMap<CallMade, string>();

function saveCall(made: CallMade): string {
  const known = savedCalls.get(made);
  if (known !== undefined) return known;
  const { turn, call, shape, counters, tool } = made;
  const counted = shape === undefined || !counters ? '' : `~${shape}~${counters.join(',')}`;
  const text = `${turn} ${call}${counted} ${tool.replace(/[%\n]/g, encodeURIComponent)}`;
  savedCalls.set(made, text);
  return text;
}

function readCall(text: string): CallMade {
  const [turn = '', print = '', ...tool] = text.split(' ');
  const [call = '', shape, counters] = print.split('~');
  const counted = shape !== undefined && counters !== undefined && { shape, counters: counters.split(',').map(Number) };
  return { turn, call, ...counted, tool: tool.join(' ').replace(/%25|%0A/g, decodeURIComponent) };
}

const none: readonly CallMade[] = [];

/** The line of a run without calls. */
export const emptyLine: CallLine = { before: none, since: none, own: none };

/** The number of repetitions so far, and the repeated tools. */
export interface Repeated {
  readonly times: number;
  readonly tools: readonly string[];
}

/**
 * Adds a call to `calls`. The same call of the same turn counts once. A call that differs from an earlier one only by increased counters is the same
 * call.
 */
export function withCall(calls: readonly CallMade[], made: CallMade, most: number): readonly CallMade[] {
  const { shape, counters = [] } = made;
  const last = shape === undefined ? undefined : calls.findLast((one) => one.shape === shape);
  const counted = last?.counters && hasGrown(last.counters, counters) ? { ...made, call: last.call } : made;
  const known = calls.some(({ call, turn }) => call === counted.call && turn === counted.turn);
  if (known) return calls;
  const kept = [...calls, counted].slice(-most);
  const saved = savedLists.get(calls);
  if (saved && kept.length > calls.length) savedLists.set(kept, `${saved}\n${saveCall(counted)}`);
  return kept;
}

/** Returns the repetition of at most `longest` alternating calls, by the run alone or with its sub-agents. */
export function repeatedIn({ before, since, own }: CallLine, longest: number): Repeated {
  const alone = repeatedAtEnd(own, longest);
  if (since === own && before.length === 0) return alone;
  const all = repeatedAtEnd([...before, ...since], longest);
  return all.times > alone.times ? all : alone;
}

/**
 * Finds the same call in a row, or the same few calls in any order: the number of turns that contain each of them. For equal numbers, it returns the
 * fewest calls.
 */
function repeatedAtEnd(calls: readonly CallMade[], longest: number): Repeated {
  const last = calls.at(-1);
  // Most calls are new.
  if (!last || calls.findIndex(({ call }) => call === last.call) === calls.length - 1)
    return { times: last ? 1 : 0, tools: last ? [last.tool] : [] };
  const turns = new Map<string, Set<string>>();
  const tools = new Map<string, string>();
  let most: Repeated = { times: 0, tools: [] };
  const measure = (): void => {
    const times = Math.min(...[...turns.values()].map(({ size }) => size));
    if (turns.size > 0 && times > most.times) most = { times, tools: [...tools.values()].reverse() };
  };
  for (const { call, tool, turn } of [...calls].reverse()) {
    const known = turns.get(call);
    if (!known) {
      measure();
      if (turns.size === longest) return most;
    }
    turns.set(call, (known ?? new Set()).add(turn));
    tools.set(call, tool);
  }
  measure();
  return most;
}
