import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { waitingCallSchema } from '../agent/suspend/waiting-call.ts';
import { HooklineError } from '../errors.ts';
import { type JsonObject, jsonObjectSchema } from '../events/values/json-value.ts';
import type { StateStore, StoreKey } from '../store/state/state-store.ts';
import { clientToolSchema } from './chat-request.ts';

/** A call of a thread that waits, under the id that its answer names: another one for each suspension and each judged call. */
export const chatCallSchema = waitingCallSchema.extend({
  id: z.string(),
  expiresAt: z.iso.datetime(),
  /** Whether it waits for the client to run it, rather than for a yes. */
  client: z.boolean(),
  /** As the wire names it where that names calls by their ids. */
  shown: z.string(),
});

/** A call that waits for the client. */
export type ChatCall = z.infer<typeof chatCallSchema>;

const clientCallSchema = chatCallSchema.pick({ key: true, shown: true });

/** What names a call that the client runs. */
export type ClientCall = z.infer<typeof clientCallSchema>;

const threadSchema = z.strictObject({
  version: z.literal(1),
  userId: z.string(),
  /** What was begun in it last. */
  latest: z.string(),
  /** The run that waits. */
  waiting: z
    .strictObject({
      runId: z.string(),
      calls: z.array(chatCallSchema),
      /** The client's tools that the run was offered. */
      tools: z.array(clientToolSchema),
      snapshot: jsonObjectSchema,
    })
    .exactOptional(),
  /** What was answered last: a digest of what was said, the client's calls among it, and what was begun with it. */
  answered: z
    .strictObject({ digest: z.string(), clientCalls: z.array(clientCallSchema), begun: z.string() })
    .exactOptional(),
});

/** What is kept of a thread. */
export type Thread = z.infer<typeof threadSchema>;

/** The threads of a store. */
export interface Threads {
  find(threadId: string): Promise<{ readonly thread: Thread; readonly version: number } | undefined>;
  /** Writes at that version (0: there is none yet); false where somebody was faster. */
  write(threadId: string, thread: Thread, version: number): Promise<boolean>;
}

/** `keepMs` is how long a thread is kept that nobody writes to any more. */
export function threadsIn(store: StateStore, keepMs: number): Threads {
  return {
    async find(threadId) {
      const entry = await firstValueFrom(store.get(keyOf(threadId)));
      if (!entry) return undefined;
      const parsed = threadSchema.safeParse(entry.value);
      if (parsed.success) return { thread: parsed.data, version: entry.version };
      const message = `The entry ${JSON.stringify(entry.key)} is not a thread: ${z.prettifyError(parsed.error)}`;
      throw new HooklineError('STORE_FAILED', message);
    },
    async write(threadId, thread, version) {
      try {
        await firstValueFrom(
          store.set(keyOf(threadId), thread as unknown as JsonObject, { ifVersion: version, ttlMs: keepMs }),
        );
        return true;
      } catch (thrown) {
        if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return false;
        throw thrown;
      }
    },
  };
}

function keyOf(threadId: string): StoreKey {
  return ['chat', 'thread', threadId];
}
