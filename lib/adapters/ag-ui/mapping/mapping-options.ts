import type { SettledEvent } from '../../../events/hook-event.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Inbox } from '../../../hooks/asking/inbox.ts';
import type { AgUiMessage } from '../ag-ui-event.ts';

/** A call that waits, as an interrupt or a call of the client tells of it. */
export interface WaitingCall {
  readonly id: string;
  /** Of the pending call. */
  readonly key: string;
  /** As the model knows it. */
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly agent: string;
  readonly prompt?: string;
  readonly by?: string;
  readonly hash?: string;
  readonly expiresAt?: string;
  /** Whether the client is to run it. */
  readonly client?: boolean;
}

/** What a mapping needs to know. */
export interface MappingOptions {
  readonly ids: { readonly threadId: string; readonly runId: string } | undefined;
  readonly messages: readonly AgUiMessage[];
  readonly thinking: boolean;
  readonly toolOutput: boolean;
  readonly hooks: boolean;
  readonly inbox: Pick<Inbox, 'list' | 'changes$'> | undefined;
  readonly waiting: (post: SettledEvent<PostCall>) => readonly WaitingCall[];
  /** Names of the tools that the client runs. */
  readonly clientTools: ReadonlySet<string>;
  /** The names on the screen of the calls that a resumed run goes on with, see `CallNames`. */
  readonly named: ReadonlyMap<string, string>;
  readonly errorText: (post: PostCall) => string;
  /** What the client is told where the events break off. */
  readonly broken: string;
}
