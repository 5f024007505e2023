import { z } from 'zod';
import type { DocumentKey, DocumentStore } from '../../config/document-store.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/json-value.ts';
import { type GivenAnswer, givenAnswerSchema } from './suspended-run.ts';

/** Of a user, the newest last; older ones are forgotten. */
const MOST = 100;

const answeredSchema = z.strictObject({
  runs: z.array(
    z.strictObject({
      runId: z.string(),
      resumedBy: z.string(),
      /** By the id of the approval. */
      answers: z.record(z.string(), givenAnswerSchema),
    }),
  ),
});

export type AnsweredRun = z.infer<typeof answeredSchema>['runs'][number];

/** What is left of suspended runs that go on: who answered what, for those who come too late. */
export interface AnsweredRuns {
  add(user: string, run: AnsweredRun): Promise<void>;
  find(user: string, runId: string): Promise<AnsweredRun | undefined>;
  /** Who answered an approval first. */
  winner(user: string, runId: string, approval: string): Promise<GivenAnswer | undefined>;
}

export function answeredRuns(store: DocumentStore): AnsweredRuns {
  async function read(user: string): Promise<{ readonly runs: readonly AnsweredRun[]; readonly revision: number }> {
    const stored = await store.read(keyOf(user));
    const parsed = answeredSchema.safeParse(stored?.value);
    return { runs: parsed.success ? parsed.data.runs : [], revision: stored?.revision ?? 0 };
  }

  async function find(user: string, runId: string): Promise<AnsweredRun | undefined> {
    return (await read(user)).runs.find((run) => run.runId === runId);
  }

  async function add(user: string, run: AnsweredRun): Promise<void> {
    const { runs, revision } = await read(user);
    const value = { runs: [...runs, run].slice(-MOST) } as unknown as JsonObject;
    try {
      await store.write(keyOf(user), value, { ifRevision: revision });
    } catch (thrown) {
      if (!(thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT')) throw thrown;
      // Another answer of this user came in between; each time one of them gets through.
      await add(user, run);
    }
  }

  return {
    add,
    find,
    async winner(user, runId, approval) {
      return (await find(user, runId))?.answers[approval];
    },
  };
}

function keyOf(user: string): DocumentKey {
  return ['answered', user];
}
