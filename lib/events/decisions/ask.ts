/** The prompt of one approver, and the name of its hook. */
export type Ask = { readonly by: string; readonly prompt: string };

/** The fields with which a suspended call names its approvers. `asks` is present if there are several; `prompt` then contains all their texts. */
export interface Asked {
  readonly by?: string;
  readonly prompt?: string;
  readonly asks?: readonly Ask[];
}

/** Returns the names of all hooks that ask about a suspended call. */
export function askersOf({ by, asks }: Asked): readonly string[] {
  return asks?.map((ask) => ask.by) ?? (by === undefined ? [] : [by]);
}

/** Returns the prompts of a suspended call, one for each hook that asks. */
export function asksOf({ by, prompt, asks }: Asked): readonly Ask[] {
  return asks ?? (by === undefined || prompt === undefined ? [] : [{ by, prompt }]);
}

/** Returns the fields of a suspended call, without undefined ones. */
export function askedOf({ by, prompt, asks }: Asked): Asked {
  return {
    ...(prompt !== undefined && { prompt }),
    ...(by !== undefined && { by }),
    ...(asks && { asks }),
  };
}

/** Returns the fields of a suspended call after one more hook asks about it. */
export function askToo(before: Asked, ask: Ask): Asked & Ask {
  const asks = [...asksOf(before), ask];
  return asks.length === 1 ? ask : { ...ask, ...asks[0], prompt: joinPrompts(before.prompt ?? '', ask.prompt), asks };
}

/** Returns the fields of a suspended call for these prompts. */
export function askedTogether(asks: readonly Ask[]): Asked {
  return asks.reduce<Asked>(askToo, {});
}

/** Joins two prompts. Lines that both begin or end with, such as the arguments, occur once. */
function joinPrompts(one: string, other: string): string {
  const lines = one.split('\n');
  const more = other.split('\n');
  const most = Math.min(lines.length, more.length);
  let from = 0;
  while (from < most && lines[from] === more[from]) from++;
  let to = 0;
  while (to < most - from && lines.at(-1 - to) === more.at(-1 - to)) to++;
  const end = lines.length - to;
  return [...lines.slice(0, end), ...more.slice(from, more.length - to), ...lines.slice(end)].join('\n');
}
