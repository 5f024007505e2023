import { messageOf } from '../../../errors/describe-thrown.ts';
import { errorReply, type Read, type RpcId, readMessage, Unreadable, type Waiting, waitingFor } from './json-rpc.ts';

/** Why a message is not forwarded. `issue` is an error of Hookline for a valid message. */
export interface NotTaken {
  readonly why: string;
  readonly waiting: Waiting;
  readonly issue?: unknown;
}

/** Passes the message in a text to `take`. Does not throw: `fail` answers the requests that wait because of a rejected message. */
export function takeMessage(text: string, take: (read: Read) => void, fail: (not: NotTaken) => void): void {
  let read: Read | undefined;
  try {
    read = readMessage(text);
    take(read);
  } catch (thrown) {
    if (read) fail({ why: 'Hookline failed; see its log', waiting: waitingFor(read.message), issue: thrown });
    else fail({ why: messageOf(thrown), waiting: thrown instanceof Unreadable ? thrown.waiting : NOTHING_WAITING });
  }
}

const NOTHING_WAITING: Waiting = { asks: [], answers: [] };

/** Returns an error as if the other side had sent it. */
export function failedReply(id: RpcId, why: string): Read {
  const message = errorReply(id, -32603, why);
  return { text: JSON.stringify(message), message };
}
