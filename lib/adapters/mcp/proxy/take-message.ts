import { messageOf } from '../../../errors/describe-thrown.ts';
import { errorReply, type Read, type RpcId, readMessage, Unreadable, type Waiting, waitingFor } from './json-rpc.ts';

/** Why a message is not passed on; `fault` is what Hookline failed of, where the message itself is fine. */
export interface NotTaken {
  readonly why: string;
  readonly waiting: Waiting;
  readonly fault?: unknown;
}

/** Gives `take` what a text says. Throws nothing: `fail` answers whoever waits because of a message that is not taken. */
export function takeMessage(text: string, take: (read: Read) => void, fail: (not: NotTaken) => void): void {
  let read: Read | undefined;
  try {
    read = readMessage(text);
    take(read);
  } catch (thrown) {
    if (read) fail({ why: 'Hookline failed, and its log says why', waiting: waitingFor(read.message), fault: thrown });
    else fail({ why: messageOf(thrown), waiting: thrown instanceof Unreadable ? thrown.waiting : NOBODY });
  }
}

const NOBODY: Waiting = { asks: [], answers: [] };

/** An error as the other side would have sent it. */
export function failedReply(id: RpcId, why: string): Read {
  const message = errorReply(id, -32603, why);
  return { text: JSON.stringify(message), message };
}
