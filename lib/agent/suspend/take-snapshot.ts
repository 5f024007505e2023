import { HooklineError } from '../../errors.ts';
import { addUsage, type Usage } from '../../events/parts/usage.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Run } from '../../pipeline/run/run.ts';
import type { Conversation } from '../transcript/conversation.ts';
import { approversInForce } from './missing-approvers.ts';
import type { Resumption } from './resumption.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './snapshot.ts';

interface Suspended {
  readonly run: Run;
  readonly conversation: Conversation;
  readonly maxIterations: number;
  readonly usage: Usage | undefined;
}

/** Returns the snapshot of a run with pending calls, from which it continues at `place`. `approvers` are those in force at earlier suspensions. */
export function takeSnapshot({ run, conversation, ...scope }: Suspended, place: Omit<Resumption, 'calls'>): JsonObject {
  const { message, start, batch, steering } = place;
  const usage = addUsage(scope.usage, run.askedUsage);
  if (conversation.messages[start - 1] !== message) {
    throw new HooklineError(
      'SNAPSHOT_INVALID',
      'The message with the pending calls is not the last message of the conversation.',
    );
  }
  const taken: Snapshot = {
    version: SNAPSHOT_VERSION,
    run: run.info,
    transcript: [...conversation.messages.slice(0, start)],
    settled: [...batch.results],
    finishing: batch.finishing,
    pending: [...batch.pending],
    approvers: approversInForce(run, place.approvers),
    ...(steering.length > 0 && { steering: [...steering] }),
    state: run.state(),
    iteration: run.iteration,
    maxIterations: scope.maxIterations,
    ...(run.retries > 0 && { retries: run.retries }),
    ...(usage && { usage }),
  };
  return taken as unknown as JsonObject;
}
