import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { waitingCallSchema } from '../agent/suspend/waiting-call.ts';
import { HooklineError } from '../errors.ts';
import { messageSchema } from '../events/parts/message.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { StateStore, StoreKey } from '../store/state/state-store.ts';
import { clientToolSchema } from './chat-request.ts';

/** A pending call of a thread. Its id is different for each suspension and each evaluated call. */
const chatCallSchema = waitingCallSchema.extend({
  id: z.string(),
  expiresAt: z.iso.datetime(),
  /** True if the client runs the call, false if it needs an approval. */
  client: z.boolean(),
  /** The id of the call on wires that use the ids of calls. */
  shown: z.string(),
});

/** A pending call of a thread. */
export type ChatCall = z.infer<typeof chatCallSchema>;

const answeredCallSchema = chatCallSchema.pick({ key: true, shown: true, toolCallId: true, client: true }).extend({
  /** True if the call belongs to a sub-agent, whose messages the thread does not contain. */
  inner: z.literal(true).exactOptional(),
});

export type AnsweredCall = z.infer<typeof answeredCallSchema>;

const threadNameSchema = z.strictObject({ userId: z.string(), threadId: z.string() });

const givenSchema = z.strictObject({
  id: z.string(),
  action: z.enum(['approve', 'deny']),
  /** `hookline` if the call expired. */
  by: z.string(),
  at: z.iso.datetime(),
});

/** The answer that a pending call received. */
export type GivenAnswer = z.infer<typeof givenSchema>;

/** The names of a call. */
export type NamedCall = Pick<AnsweredCall, 'key' | 'shown'>;

const threadSchema = z.strictObject({
  version: z.literal(1),
  /** Id of the run that started last. */
  latest: z.string(),
  /** The last prompt, if hooks have changed it: the client's id, and a digest of the stored text. */
  changed: z.strictObject({ promptId: z.string(), digest: z.string() }).exactOptional(),
  /** The suspended run. */
  waiting: z
    .strictObject({
      runId: z.string(),
      calls: z.array(chatCallSchema),
      tools: z.array(clientToolSchema),
      // Stores return JSON. The agent validates the snapshot when it resumes the run.
      snapshot: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
    })
    .exactOptional(),
  /**
   * The latest answers: the approvals and a digest of all, the answered calls with those that waited for them, the id of the run that they resumed,
   * and the number of messages before their results.
   */
  answered: z
    .strictObject({
      digest: z.string(),
      given: z.array(givenSchema),
      calls: z.array(answeredCallSchema),
      begun: z.string(),
      from: z.int().nonnegative(),
      /** The messages after those, if the client has the conversation: a lost response is sent again from here. */
      result: z.array(messageSchema).exactOptional(),
    })
    .exactOptional(),
});

/** The stored state of a thread. */
export type Thread = z.infer<typeof threadSchema>;

/** A thread of a user. */
export type ThreadName = Readonly<z.infer<typeof threadNameSchema>>;

/** The threads of a store, by the keys of `threadKey`. */
export interface Threads {
  find(key: string): Promise<{ readonly thread: Thread; readonly version: number } | undefined>;
  /** Writes the next version of a thread. `version` is the current one, 0 for a new thread. Returns false if another write came first. */
  write(key: string, thread: Thread, version: number): Promise<boolean>;
  /** Stores the thread of a suspended run. */
  nameRun(runId: string, of: ThreadName): Promise<void>;
  /** Returns the thread of a suspended run. */
  ofRun(runId: string): Promise<ThreadName | undefined>;
}

/** `keepMs` is how long a thread is stored after its last write, in milliseconds. */
export function threadsIn(store: StateStore, keepMs: number): Threads {
  return {
    async find(key) {
      const entry = await firstValueFrom(store.get(keyOf(key)));
      if (!entry) return undefined;
      const parsed = threadSchema.safeParse(entry.value);
      if (parsed.success) return { thread: parsed.data, version: entry.version };
      const message = `The entry ${JSON.stringify(entry.key)} is not a thread: ${z.prettifyError(parsed.error)}`;
      throw new HooklineError('STORE_FAILED', message);
    },
    async write(key, thread, version) {
      try {
        await firstValueFrom(
          store.set(keyOf(key), thread as unknown as JsonObject, { ifVersion: version, ttlMs: keepMs }),
        );
        return true;
      } catch (thrown) {
        if (thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT') return false;
        throw thrown;
      }
    },
    async nameRun(runId, { userId, threadId }) {
      await firstValueFrom(store.set(runKeyOf(runId), { userId, threadId }, { ttlMs: keepMs }));
    },
    async ofRun(runId) {
      const named = threadNameSchema.safeParse((await firstValueFrom(store.get(runKeyOf(runId))))?.value);
      return named.data;
    },
  };
}

function runKeyOf(runId: string): StoreKey {
  return ['chat', 'run', runId];
}

function keyOf(key: string): StoreKey {
  return ['chat', 'thread', key];
}
