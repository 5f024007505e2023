import { HooklineError } from '../errors.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { AskFunction } from './asking/ask-function.ts';
import type { Inbox } from './asking/inbox.ts';
import type { CountTokens } from './tokens/count-tokens.ts';

/** The host's parts for hooks created by name. All are optional. A hook that needs a missing part throws. */
export interface HookHost {
  /** Stores data that outlives a run: counters, grants of a session, memories. */
  readonly store?: StateStore | undefined;
  /** The directory for files of hooks. The agent's tools cannot access it. */
  readonly stateFolder?: string | undefined;
  /** The working directory of the tools. */
  readonly workspace?: string | undefined;
  /** Folders of the project, if the tools work elsewhere. There, deny and ask rules with relative paths match, too. */
  readonly project?: readonly string[] | undefined;
  /** The approver of calls: the terminal, the caller who resumes the suspended run, the users of the inbox, or a function. */
  readonly ask?: 'terminal' | 'suspend' | 'inbox' | AskFunction | undefined;
  /** The pending calls for "inbox". */
  readonly inbox?: Pick<Inbox, 'ask'> | undefined;
  /** Models for hooks, by name. */
  readonly models?: Readonly<Record<string, Model>> | undefined;
  /** Redacts a text. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Counts the tokens of a text if the provider does not report them. Default: the package `gpt-tokenizer`. */
  readonly countTokens?: CountTokens | undefined;
}

const parts: Readonly<Record<keyof HookHost, string>> = {
  store: 'a store, such as memoryStateStore() or fileStateStore(folder)',
  stateFolder: 'a directory for its files',
  workspace: 'the directory that the tools work in',
  project: 'the folders of the project',
  ask: 'an approver: "terminal", "suspend", "inbox" or a function',
  inbox: 'an inbox from createInbox()',
  models: 'models by name',
  redact: 'a function that redacts a text',
  countTokens: 'a function that counts the tokens of a text',
};

/** Returns a part of the host that a hook requires. `OPTIONS_INVALID` names a missing one. */
export function requirePart<K extends keyof HookHost>(host: HookHost, part: K, hook: string): NonNullable<HookHost[K]> {
  const given = host[part];
  if (given !== undefined && given !== null) return given;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The hook "${hook}" needs ${parts[part]}, and the host does not provide one. Pass it as "${part}": create(name, options, { ${part} }).`,
  );
}
