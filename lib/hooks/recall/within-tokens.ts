/** What may be told to the model, and how. */
export interface Telling<T> {
  /** Stands in front of the texts. */
  readonly head: string;
  /** The text of an item, with secrets taken out. */
  readonly textOf: (item: T) => string;
  /** Where the text of an item comes from: a path or an address; undefined where it has no place that a rule could name. */
  readonly placeOf: (item: T) => string | undefined;
  /** `mayRead` of the run's context. */
  readonly mayRead: (place: string) => boolean;
  readonly limit: number;
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/** Texts that together stay under a number of tokens. */
export interface WithinTokens<T> {
  readonly chosen: readonly T[];
  /** `head` and the chosen texts; empty if none fits. */
  readonly text: string;
  /** The places of the chosen. */
  readonly places: readonly string[];
  /** Places whose texts are withheld, since the rules do not let the model read them. */
  readonly withheld: readonly string[];
}

/** Takes of `items`, the most wanted first, at most `limit` that the model may read and whose texts fit under `head` into `maxTokens`. */
export function withinTokens<T>(items: readonly T[], telling: Telling<T>): WithinTokens<T> {
  const { head, textOf, placeOf, mayRead, limit, maxTokens, count } = telling;
  const withheld = new Set<string>();
  const open = items.filter((item) => {
    const place = placeOf(item);
    if (place === undefined || mayRead(place)) return true;
    withheld.add(place);
    return false;
  });
  let left = open.length === 0 ? 0 : maxTokens - count(`${head}\n`);
  const [chosen, texts]: [T[], string[]] = [[], []];
  for (const item of open.slice(0, limit)) {
    const text = textOf(item);
    const tokens = count(`${text}\n`);
    if (tokens > left) continue;
    left -= tokens;
    chosen.push(item);
    texts.push(text);
  }
  const places = [...new Set(chosen.flatMap((item) => placeOf(item) ?? []))];
  return { chosen, text: chosen.length === 0 ? '' : [head, ...texts].join('\n'), places, withheld: [...withheld] };
}
