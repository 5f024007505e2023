import type { Agent } from '../agent/agent.ts';
import type { WatchOptions } from '../agent/run-watcher.ts';
import { HooklineError } from '../errors.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { ChatRun } from './chat.ts';
import type { Caller } from './chat-options.ts';
import type { ChatRequest } from './chat-request.ts';
import { ownSession, threadKey } from './own-session.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { ChatReplay } from './thread-view.ts';
import type { Threads } from './threads.ts';

interface Parts {
  readonly threads: Threads;
  readonly inTurnOf: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  readonly agentOf: (caller: Caller) => Promise<Agent>;
  readonly open: (
    agent: Agent,
    caller: Caller,
    request: ChatRequest,
    approvals?: readonly JsonObject[],
  ) => Promise<(ChatRun & { stop(): void }) | ChatReplay | Refusal>;
}

/** Returns a function that resumes the run of a thread with answers given outside of the chat. */
export function threadResumer({ threads, inTurnOf, agentOf, open }: Parts): NonNullable<WatchOptions['resume']> {
  return async ({ runId, snapshot, answers, signal }) => {
    const of = await threads.ofRun(runId);
    if (!of) return undefined;
    const { userId, threadId } = of;
    const key = threadKey({ userId }, threadId);
    const { sessionId, agent: name } = snapshot.run;
    const caller = { userId, ...(sessionId !== ownSession(userId, threadId) && { sessionId }) };
    const agent = await agentOf(caller);
    // Handlers of different agents may share a store.
    if (agent.name !== name) return undefined;
    return inTurnOf(key, async () => {
      const { waiting } = (await threads.find(key))?.thread ?? {};
      if (waiting?.runId !== runId)
        throw new HooklineError('SNAPSHOT_STALE', 'The thread has continued, so the call is no longer pending.');
      const given = waiting.calls.flatMap(({ id, key }) => {
        const answer = answers[key];
        return answer ? [{ id, ...answer }] : [];
      });
      const approvals = snapshot.run.metadata?.['approvals'] as readonly JsonObject[] | undefined;
      const run = await open(agent, caller, { threadId, messages: [], answers: given }, approvals);
      if (isRefusal(run)) throw new HooklineError('ANSWER_INVALID', run.message);
      if (!('stop' in run)) throw new HooklineError('SNAPSHOT_STALE', 'The call was answered in the chat.');
      signal.addEventListener('abort', run.stop);
      return run.events$;
    });
  };
}
