import { HooklineError } from '../errors.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { AskFunction } from './asking/ask-function.ts';
import type { Inbox } from './asking/inbox.ts';
import type { CountTokens } from './tokens/count-tokens.ts';

/** What a host lends to the hooks that it makes by name. All of it may be missing; a hook that needs a part says so. */
export interface HookHost {
  /** What outlives a run: counters, permissions of a session, memories. */
  readonly store?: StateStore | undefined;
  /** The folder where hooks keep files of their own; the agent's tools do not reach it. */
  readonly stateFolder?: string | undefined;
  /** The folder that the tools work in. */
  readonly workspace?: string | undefined;
  /** Who is asked about a call: the terminal, whoever resumes the suspended run, those who look at the inbox, or a function. */
  readonly ask?: 'terminal' | 'suspend' | 'inbox' | AskFunction | undefined;
  /** Where calls wait for those who are asked by "inbox". */
  readonly inbox?: Pick<Inbox, 'ask'> | undefined;
  /** Models that hooks may ask, by name. */
  readonly models?: Readonly<Record<string, Model>> | undefined;
  /** Takes secrets out of a text. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Counts the tokens of a text where nobody else tells. Default: the package `gpt-tokenizer`. */
  readonly countTokens?: CountTokens | undefined;
}

const parts: Readonly<Record<keyof HookHost, string>> = {
  store: 'a store, such as memoryStateStore() or fileStateStore(folder)',
  stateFolder: 'a folder for its files',
  workspace: 'the folder that the tools work in',
  ask: 'somebody to ask: "terminal", "suspend", "inbox" or a function',
  inbox: 'an inbox: createInbox(), which a server shows',
  models: 'models by name',
  redact: 'a function that takes secrets out of a text',
  countTokens: 'a function that counts the tokens of a text',
};

/** A part of the host that the hook cannot do without; `OPTIONS_INVALID` names the one that is missing. */
export function requirePart<K extends keyof HookHost>(host: HookHost, part: K, hook: string): NonNullable<HookHost[K]> {
  const given = host[part];
  if (given !== undefined && given !== null) return given;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The hook "${hook}" needs ${parts[part]}, and its host gives none. Give it as "${part}": create(name, options, { ${part} }).`,
  );
}
