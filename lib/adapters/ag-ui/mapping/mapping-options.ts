import type { WaitingCall as PendingCall } from '../../../agent/suspend/waiting-call.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { Inbox } from '../../../hooks/asking/inbox.ts';
import type { AgUiMessage } from '../ag-ui-event.ts';

/** A pending call, for an interrupt or a call of the client. */
export interface WaitingCall extends Omit<PendingCall, 'hash'> {
  readonly id: string;
  readonly hash?: string;
  readonly expiresAt?: string;
  /** True if the client runs the call. */
  readonly client?: boolean;
}

/** The options of a mapping, with all defaults. */
export interface MappingOptions {
  readonly ids: { readonly threadId: string; readonly runId: string } | undefined;
  readonly messages: readonly AgUiMessage[];
  readonly thinking: boolean;
  readonly toolOutput: boolean;
  readonly hooks: boolean;
  readonly subagents: 'all' | 'none';
  readonly inbox: Pick<Inbox, 'list' | 'changes$'> | undefined;
  readonly waiting: (post: SettledEvent<PostCall>) => readonly WaitingCall[];
  readonly clientTools: ReadonlySet<string>;
  /** The ids on the wire of the calls that a resumed run continues with. See `CallNames`. */
  readonly named: ReadonlyMap<string, string>;
  readonly errorText: (post: PostCall) => string;
  /** The error text for the client if the events break off. */
  readonly broken: string;
}
