import type { PostActing } from '../../../events/post-acting.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { WaitingCall } from './suspended-calls.ts';

/** How events are mapped, with all defaults. */
export interface MappingOptions {
  readonly messageId: string | undefined;
  /** Of the client's AI SDK. */
  readonly version: 5 | 6 | 7;
  readonly buffer: boolean;
  readonly thinking: boolean;
  readonly hooks: boolean;
  readonly clientTools: readonly string[];
  /** Keys of the calls that a resumed run goes on with, by the key that its events give them. */
  readonly resumed: ReadonlyMap<string, string>;
  /** What the client is told of an error. */
  readonly errorText: (event: PostActing | PostCall) => string;
  /** What waits in a snapshot. */
  readonly waiting: (snapshot: JsonObject) => readonly WaitingCall[];
}
