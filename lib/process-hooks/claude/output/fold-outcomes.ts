import type { Outcome } from './output.ts';

/** Combined outcome of all handlers of an event. */
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

/**
 * Combines outcomes. deny takes precedence over ask, and ask over allow. Every context is kept. The last rewriting in the order of the settings
 * applies.
 */
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
    // A handler that is called again may repeat its context.
    contexts: [...new Set(all(({ context }) => context))],
    updatedInput: all(({ updatedInput }) => updatedInput).at(-1),
    updatedOutput: all(({ updatedOutput }) => updatedOutput).at(-1),
    initialUserMessages: all(({ initialUserMessage }) => initialUserMessage),
    messages: [...new Set(all(({ systemMessage }) => systemMessage))],
  };
}
