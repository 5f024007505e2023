import { z } from 'zod';

/** A call, and the turn of the conversation in which it was made: calls of one turn do not know of each other's results. */
export interface CallMade {
  readonly call: string;
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
  const save = (calls: readonly CallMade[]) => calls.map(({ turn, call, tool }) => `${turn} ${call} ${tool}`);
  return { before: save(before), since: save(since), own: save(own) };
}

/** The line that a state holds. */
export function readLine({ before, since, own }: SavedLine): CallLine {
  const read = (texts: readonly string[]) =>
    texts.map((text) => {
      const [turn = '', call = '', ...tool] = text.split(' ');
      return { turn, call, tool: tool.join(' ') };
    });
  return { before: read(before), since: read(since), own: read(own) };
}

/** The line of a run that has called nothing. */
export const emptyLine: CallLine = { before: [], since: [], own: [] };

/** How often the same has been done up to now, and with which tools. */
export interface Repeated {
  readonly times: number;
  readonly tools: readonly string[];
}

/** `calls` with another one; the same call of the same turn counts once. */
export function withCall(calls: readonly CallMade[], made: CallMade, most: number): readonly CallMade[] {
  const known = calls.some(({ call, turn }) => call === made.call && turn === made.turn);
  return known ? calls : [...calls, made].slice(-most);
}

/** What the run repeats: by itself, or together with its sub-agents. */
export function repeatedIn({ before, since, own }: CallLine): Repeated {
  return [repeatedAtEnd(own), repeatedAtEnd([...before, ...since])].reduce((most, one) =>
    one.times > most.times ? one : most,
  );
}

/** The same call in a row, or the same two and nothing else: how often, in turns. */
function repeatedAtEnd(calls: readonly CallMade[]): Repeated {
  const turns = new Map<string, Set<string>>();
  const tools = new Map<string, string>();
  let row = 0;
  for (const { call, tool, turn } of [...calls].reverse()) {
    const known = turns.get(call);
    if (!known && turns.size === 2) break;
    if (!known && turns.size === 1) row = sizeOfFirst(turns);
    turns.set(call, (known ?? new Set()).add(turn));
    tools.set(call, tool);
  }
  if (turns.size < 2) row = sizeOfFirst(turns);
  const pair = turns.size === 2 ? Math.min(...[...turns.values()].map(({ size }) => size)) : 0;
  const named = [...tools.values()];
  return row >= pair ? { times: row, tools: named.slice(0, 1) } : { times: pair, tools: named };
}

function sizeOfFirst(turns: ReadonlyMap<string, ReadonlySet<string>>): number {
  const [first] = turns.values();
  return first?.size ?? 0;
}
