import { z } from 'zod';
import { type CallPrint, hasGrown } from './call-print.ts';

/** A call, and the turn of the conversation in which it was made: calls of one turn do not know of each other's results. */
export interface CallMade extends CallPrint {
  readonly tool: string;
  readonly turn: string;
}

/** The calls of a run. */
export interface CallLine {
  /** Those of the run for which it works, when it began. */
  readonly before: readonly CallMade[];
  /** Those since then; what a sub-agent did stands in the place of the call that it ran for. */
  readonly since: readonly CallMade[];
  /** Its own alone. */
  readonly own: readonly CallMade[];
}

const saved = z.array(z.string().regex(/^[^ ]+ [^ ]+ /)).readonly();

/** A line as the state of a run holds it: a text for each call, since state is copied whenever it changes. */
export const savedLineSchema = z.strictObject({ before: saved, since: saved, own: saved });
export type SavedLine = z.infer<typeof savedLineSchema>;

/** The line as a state. */
export function saveLine({ before, since, own }: CallLine): SavedLine {
  const save = (calls: readonly CallMade[]) => calls.map(saveCall);
  return { before: save(before), since: save(since), own: save(own) };
}

/** The line that a state holds. */
export function readLine({ before, since, own }: SavedLine): CallLine {
  const read = (texts: readonly string[]) => texts.map(readCall);
  return { before: read(before), since: read(since), own: read(own) };
}

function saveCall({ turn, call, shape, counters, tool }: CallMade): string {
  const counted = shape === undefined || !counters ? '' : `~${shape}~${counters.join(',')}`;
  return `${turn} ${call}${counted} ${tool}`;
}

function readCall(text: string): CallMade {
  const [turn = '', print = '', ...tool] = text.split(' ');
  const [call = '', shape, counters] = print.split('~');
  const counted = shape !== undefined && counters !== undefined && { shape, counters: counters.split(',').map(Number) };
  return { turn, call, ...counted, tool: tool.join(' ') };
}

/** The line of a run that has called nothing. */
export const emptyLine: CallLine = { before: [], since: [], own: [] };

/** How often the same has been done up to now, and with which tools. */
export interface Repeated {
  readonly times: number;
  readonly tools: readonly string[];
}

/**
 * `calls` with another one; the same call of the same turn counts once. A call that differs from an earlier one only by counters that have
 * grown is the same call.
 */
export function withCall(calls: readonly CallMade[], made: CallMade, most: number): readonly CallMade[] {
  const { shape, counters = [] } = made;
  const last = shape === undefined ? undefined : calls.findLast((one) => one.shape === shape);
  const counted = last?.counters && hasGrown(last.counters, counters) ? { ...made, call: last.call } : made;
  const known = calls.some(({ call, turn }) => call === counted.call && turn === counted.turn);
  return known ? calls : [...calls, counted].slice(-most);
}

/** What the run repeats, of at most `longest` calls in turn: by itself, or together with its sub-agents. */
export function repeatedIn({ before, since, own }: CallLine, longest: number): Repeated {
  return [repeatedAtEnd(own, longest), repeatedAtEnd([...before, ...since], longest)].reduce((most, one) =>
    one.times > most.times ? one : most,
  );
}

/**
 * The same call in a row, or the same few calls and no other, in any order: the number of turns in which each of them was made. Of equal
 * numbers the fewest calls are given.
 */
function repeatedAtEnd(calls: readonly CallMade[], longest: number): Repeated {
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
