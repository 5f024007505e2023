import type { PostActing } from '../../../events/post-acting.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { WaitingCall } from './suspended-calls.ts';

/** The options of a mapping, with all defaults. */
export interface MappingOptions {
  readonly messageId: string | undefined;
  /** The version of the client's AI SDK. */
  readonly version: 5 | 6 | 7;
  readonly buffer: boolean;
  readonly thinking: boolean;
  readonly hooks: boolean;
  readonly subagents: 'all' | 'none';
  readonly clientTools: readonly string[];
  /** Keys of the calls that a resumed run continues with, by the keys from its events. */
  readonly resumed: ReadonlyMap<string, string>;
  /** Returns the error text for the client. */
  readonly errorText: (event: PostActing | PostCall) => string;
  readonly waiting: (snapshot: JsonObject) => readonly WaitingCall[];
}
