import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type Message, messageSchema } from '../events/parts/message.ts';
import { assertReadable } from '../store/transcripts/assert-readable.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import { additionId, type LogStream } from './log-stream.ts';
import type { SessionTurns } from './session-turns.ts';
import { tokenOf } from './tokens.ts';

/** A change of a conversation: messages to append, or the number of messages to keep. */
const changeSchema = z.union([
  z.strictObject({ append: z.array(messageSchema) }),
  z.strictObject({ keep: z.int().nonnegative() }),
]);
type Change = z.infer<typeof changeSchema>;

/**
 * Stores each session as a log of changes. A server that appends to a session which another server has continued since gets `STORE_CONFLICT`, so a server
 * that lost its turn changes nothing.
 */
export function natsTranscripts(logs: LogStream, turns: SessionTurns) {
  /** The last change of each session that this server knows. */
  const seen = new Map<string, number>();

  async function load(sessionId: string): Promise<readonly Message[]> {
    const name = tokenOf(sessionId);
    let messages: readonly Message[] = [];
    const { additions, end } = await logs.read(name);
    for (const { data } of additions) {
      const change = changeSchema.safeParse(JSON.parse(data.toString())).data;
      if (!change) throw new HooklineError('TRANSCRIPT_FAILED', `The session ${JSON.stringify(sessionId)} is damaged.`);
      messages = 'keep' in change ? messages.slice(0, change.keep) : [...messages, ...change.append];
    }
    seen.set(name, end);
    return messages;
  }

  async function add(sessionId: string, change: Change): Promise<void> {
    const name = tokenOf(sessionId);
    const before = seen.get(name) ?? (await logs.last(name)).sequence;
    const after = await logs.append(name, Buffer.from(JSON.stringify(change)), before, additionId());
    if (after !== undefined) return void seen.set(name, after);
    const why = `Another server has continued the session ${JSON.stringify(sessionId)}. Start a new run.`;
    throw new HooklineError('STORE_CONFLICT', why);
  }

  return {
    load,
    async append(sessionId, messages) {
      assertReadable(messages, `session ${JSON.stringify(sessionId)}`);
      await add(sessionId, { append: [...messages] });
    },
    truncate: (sessionId, keep) => add(sessionId, { keep }),
    turn: turns.take,
  } satisfies TranscriptStore;
}
