import type { Message } from '../../events/parts/message.ts';
import { userMessage } from '../../events/parts/messages.ts';
import { freezeLasting } from '../../events/values/deep-freeze.ts';
import { runningSum } from './running-sum.ts';
import type { Shrunk } from './session-memory.ts';
import { viewMaker } from './shrunk-view.ts';
import { requestSplitter, type SplitRequest } from './split-request.ts';

/** What a run knows of its session, from one request to the next. */
export interface RunSession {
  readonly shrunk: Shrunk;
  shrinkTo(shrunk: Shrunk): void;
  readonly split: ReturnType<typeof requestSplitter>;
  /** The messages as the model gets them. */
  view(split: SplitRequest): readonly Message[];
  readonly sum: ReturnType<typeof runningSum>;
  /** Whether it was said that nothing helps. */
  warned: boolean;
  /** How many tokens a request may have; fewer after the provider has refused one. */
  limit: number;
  /** How often that was. */
  refused: number;
  /** What the last request took. */
  sent: number;
}

/** Nothing is shrunk. */
export const WHOLE: Shrunk = Object.freeze({ dropped: 0, shortened: 0, summary: '', offloaded: false });

/** Begins with what is kept of the session. */
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

/** What stands for what is left out. */
function summaryMessage(origin: string, { dropped, summary }: Shrunk): Message | undefined {
  if (dropped === 0) return undefined;
  const text =
    summary === ''
      ? `[The first ${dropped} messages are left out here.]`
      : `[A summary of the first ${dropped} messages, which are left out here:]\n${summary}`;
  return freezeLasting<Message>({ ...userMessage(text), origin });
}
