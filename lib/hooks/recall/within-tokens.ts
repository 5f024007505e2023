/** Texts that together stay under a number of tokens. */
export interface WithinTokens<T> {
  readonly chosen: readonly T[];
  /** `head` and the chosen texts; empty if none fits. */
  readonly text: string;
}

/** Takes of `items`, the most wanted first, those whose texts fit under `head` into `maxTokens`. */
export function withinTokens<T>(
  head: string,
  items: readonly T[],
  textOf: (item: T) => string,
  maxTokens: number,
  count: (text: string) => number,
): WithinTokens<T> {
  if (items.length === 0) return { chosen: [], text: '' };
  let left = maxTokens - count(`${head}\n`);
  const [chosen, texts]: [T[], string[]] = [[], []];
  for (const item of items) {
    const text = textOf(item);
    const tokens = count(`${text}\n`);
    if (tokens > left) continue;
    left -= tokens;
    chosen.push(item);
    texts.push(text);
  }
  return { chosen, text: chosen.length === 0 ? '' : [head, ...texts].join('\n') };
}
