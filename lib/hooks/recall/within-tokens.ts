/** The candidates for the model and their format. */
export interface Injection<T> {
  /** The heading of the texts. */
  readonly head: string;
  /** Returns the redacted text of an item. */
  readonly textOf: (item: T) => string;
  /** Returns the path or address of an item. Undefined if read rules do not apply. */
  readonly placeOf: (item: T) => string | undefined;
  /** `mayRead` of the run's context. */
  readonly mayRead: (place: string) => boolean;
  readonly limit: number;
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/** Texts within a token limit. */
export interface WithinTokens<T> {
  readonly chosen: readonly T[];
  /** `head` and the chosen texts. Empty if none fits. */
  readonly text: string;
  /** The places of the chosen texts. */
  readonly places: readonly string[];
  /** The places of withheld texts: the rules do not let the model read them, or cannot be applied. */
  readonly withheld: readonly string[];
}

/** Takes at most `limit` items, best first, that the model may read and whose texts, with `head`, fit into `maxTokens`. */
export function withinTokens<T>(items: readonly T[], injection: Injection<T>): WithinTokens<T> {
  const { head, textOf, placeOf, mayRead, limit, maxTokens, count } = injection;
  const withheld = new Set<string>();
  const open = items.filter((item) => {
    const place = placeOf(item);
    if (place === undefined || isOpen(place, mayRead)) return true;
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

/** A place that cannot be parsed as an address, such as `file:///a%zz`, is not readable. */
function isOpen(place: string, mayRead: (place: string) => boolean): boolean {
  try {
    return mayRead(place);
  } catch {
    return false;
  }
}
