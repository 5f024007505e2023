import type { Outcome } from './output.ts';

/** What all handlers of a moment come to together. */
export interface Folded {
  readonly stop: string | undefined;
  readonly block: string | undefined;
  readonly permission: 'allow' | 'deny' | 'ask' | undefined;
  readonly reason: string | undefined;
  readonly contexts: readonly string[];
  readonly updatedInput: Outcome['updatedInput'];
  readonly updatedOutput: Outcome['updatedOutput'];
  readonly initialUserMessages: readonly string[];
  /** For the user. */
  readonly messages: readonly string[];
}

const STRICTNESS = { allow: 1, ask: 2, deny: 3 } as const;

/** deny before ask before allow; every context is kept; of several rewritings the last in the order of the settings counts. */
export function foldOutcomes(outcomes: readonly Outcome[]): Folded {
  const all = <T>(take: (outcome: Outcome) => T | undefined): T[] =>
    outcomes.map(take).filter((one): one is Awaited<T> & NonNullable<T> => one !== undefined) as T[];
  const strictest = [...outcomes]
    .filter(({ permission }) => permission !== undefined)
    .sort((a, b) => STRICTNESS[b.permission ?? 'allow'] - STRICTNESS[a.permission ?? 'allow'])[0];
  const blocks = all(({ block }) => block);
  return {
    stop: all(({ stop }) => stop)[0],
    block: blocks.length > 0 ? blocks.join('\n') : undefined,
    permission: strictest?.permission,
    reason: strictest?.reason ?? strictest?.systemMessage,
    // Asked again, a handler may say the same once more.
    contexts: [...new Set(all(({ context }) => context))],
    updatedInput: all(({ updatedInput }) => updatedInput).at(-1),
    updatedOutput: all(({ updatedOutput }) => updatedOutput).at(-1),
    initialUserMessages: all(({ initialUserMessage }) => initialUserMessage),
    messages: [...new Set(all(({ systemMessage }) => systemMessage))],
  };
}
