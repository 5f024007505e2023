import { lastValueFrom, toArray } from 'rxjs';
import type { Chat, ChatRun } from '../../lib/chat/chat.ts';
import type { ChatOptions } from '../../lib/chat/chat-options.ts';
import { createChat } from '../../lib/chat/create-chat.ts';
import { isRefusal, type Refusal } from '../../lib/chat/refusal.ts';
import type { ChatReplay } from '../../lib/chat/thread-view.ts';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type JsonObject,
  type SettledEvent,
  userMessage,
  verdict,
} from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';

export const alice = { userId: 'alice' };
export const bob = { userId: 'bob' };

/** Creates a hook that asks before each call of the tool. */
export const asks = (tool: string): Hook =>
  defineHook({
    name: 'asks',
    approve: ({ toolCall }) => (toolCall.name === tool ? verdict.suspend(`May ${tool} run?`) : verdict.allow()),
  });

/** Creates a chat about an agent with these hooks. */
export function aChat(
  agent: Omit<AgentOptions, 'name'> & { readonly hooks?: readonly Hook[] },
  options: Partial<ChatOptions> = {},
): Chat {
  const { hooks = [], ...rest } = agent;
  const pipeline = createPipeline(hooks, { log: silentLogger });
  return createChat({
    agent: createAgent({ name: 'helper', pipeline, ...rest }),
    identify: () => alice,
    log: silentLogger,
    ...options,
  });
}

/** Returns a request with one user message. */
export const says = (text: string, threadId = 't1') => ({ threadId, messages: [userMessage(text)] });

/** The run that was opened; a refusal fails the spec. */
export function opened(given: ChatRun | ChatReplay | Refusal | undefined): ChatRun {
  if (given && 'events$' in given) return given;
  throw new Error(`It was not opened: ${JSON.stringify(given)}`);
}

/** The results of repeated answers. Anything else fails the spec. */
export function replayed(given: ChatRun | ChatReplay | Refusal | undefined): ChatReplay {
  if (given && 'complete' in given) return given;
  throw new Error(`It was not replayed: ${JSON.stringify(given)}`);
}

/** The refusal that was given; a run fails the spec. */
export function refused(given: object | undefined): Refusal {
  if (given && isRefusal(given)) return given;
  throw new Error('It was not refused.');
}

/** Returns all events of a run. */
export const eventsOf = (run: ChatRun): Promise<SettledEvent[]> => lastValueFrom(run.events$.pipe(toArray()));

/** Returns the outcome of a run. */
export async function outcomeOf(run: ChatRun): Promise<string | undefined> {
  const last = (await eventsOf(run)).at(-1);
  return last?.type === 'postCall' ? last.outcome : undefined;
}

/** Returns the result of each tool call of a run. */
export async function resultsOf(run: ChatRun): Promise<readonly JsonObject[]> {
  return (await eventsOf(run)).flatMap((event) =>
    event.type === 'postActing'
      ? [{ id: event.toolCall.id, outcome: event.outcome, content: event.result.content }]
      : [],
  );
}
