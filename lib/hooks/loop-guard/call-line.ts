import { z } from 'zod';

/** A call, and the turn of the conversation in which it was made: calls of one turn do not know of each other's results. */
const callMadeSchema = z.strictObject({ call: z.string(), tool: z.string(), turn: z.string() });

/** The calls of a run. */
export const callLineSchema = z.strictObject({
  /** Those of the run for which it works, when it began. */
  before: z.array(callMadeSchema).readonly(),
  /** Those since then; what a sub-agent did stands in the place of the call that it ran for. */
  since: z.array(callMadeSchema).readonly(),
  /** Its own alone. */
  own: z.array(callMadeSchema).readonly(),
});

/** A call and its turn. */
export type CallMade = z.infer<typeof callMadeSchema>;
/** The calls of a run. */
export type CallLine = z.infer<typeof callLineSchema>;

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
