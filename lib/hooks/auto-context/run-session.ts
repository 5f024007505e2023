import type { Message } from '../../events/parts/message.ts';
import { userMessage } from '../../events/parts/messages.ts';
import { freezeLasting } from '../../events/values/deep-freeze.ts';
import { runningSum } from './running-sum.ts';
import type { Shrunk } from './session-memory.ts';
import { viewMaker } from './shrunk-view.ts';
import { requestSplitter, type SplitRequest } from './split-request.ts';

/** A run's state of its session between requests. */
export interface RunSession {
  readonly shrunk: Shrunk;
  shrinkTo(shrunk: Shrunk): void;
  readonly split: ReturnType<typeof requestSplitter>;
  /** Returns the messages for the model. */
  view(split: SplitRequest): readonly Message[];
  readonly sum: ReturnType<typeof runningSum>;
  /** Whether the warning was given that the request cannot be shrunk further. */
  warned: boolean;
  /** The token limit of a request, lower after the provider rejected one. */
  limit: number;
  refused: number;
  /** The size of the last request in tokens. */
  sent: number;
}

/** An unshrunk conversation. */
export const WHOLE: Shrunk = Object.freeze({ dropped: 0, shortened: 0, summary: '', offloaded: false });

/** Starts with the stored state of the session. */
export function runSession(
  kept: Shrunk,
  {
    name,
    limit,
    short,
    sizeOf,
  }: {
    readonly limit: number;
    readonly name: string;
    readonly short: (message: Message) => Message;
    readonly sizeOf: (message: Message, model?: string) => number;
  },
): RunSession {
  let shrunk = kept;
  let summary = summaryMessage(name, kept);
  const makeView = viewMaker(short);
  return {
    get shrunk() {
      return shrunk;
    },
    shrinkTo(next) {
      shrunk = next;
      summary = summaryMessage(name, next);
    },
    split: requestSplitter(),
    view: (split) => (shrunk.shortened === 0 ? split.messages : makeView({ split, shrunk, summary })),
    sum: runningSum(sizeOf),
    warned: false,
    limit,
    refused: 0,
    sent: 0,
  };
}

/** Returns the message that replaces dropped messages. */
function summaryMessage(origin: string, { dropped, summary }: Shrunk): Message | undefined {
  if (dropped === 0) return undefined;
  const text =
    summary === ''
      ? `[The first ${dropped} messages are omitted.]`
      : `[Summary of the first ${dropped} messages, which are omitted:]\n${summary}`;
  return freezeLasting<Message>({ ...userMessage(text), origin });
}
