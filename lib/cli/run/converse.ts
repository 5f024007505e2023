import { filter, identity, lastValueFrom, type Observable, tap } from 'rxjs';
import type { Agent, AgentRunOptions } from '../../agent/agent.ts';
import { pendingCalls } from '../../agent/suspend/snapshot.ts';
import type { EventOf, SettledEvent } from '../../events/hook-event.ts';
import type { Approval } from '../setup/create-approval.ts';

/** More questions in a row come from an approver that no answer satisfies. */
const MAX_RESUMPTIONS = 100;

/** One prompt with all that follows from it. */
export interface Conversation {
  readonly agent: Agent;
  readonly prompt: string;
  readonly options: AgentRunOptions & { readonly signal: AbortSignal };
  readonly approval: Approval;
  readonly show: (event: SettledEvent) => void;
  /** Somebody else who sees the events too. */
  readonly watch?: ((events$: Observable<SettledEvent>) => Observable<SettledEvent>) | undefined;
}

/** Runs the agent; a run that is suspended is resumed with the user's answers, until one ends otherwise. Gives its postCall. */
export async function converse(conversation: Conversation): Promise<SettledEvent<EventOf<'postCall'>>> {
  const { agent, prompt, options, approval } = conversation;
  let post = await follow(conversation, agent.run(prompt, options));
  for (let resumed = 0; post.snapshot && resumed < MAX_RESUMPTIONS; resumed += 1) {
    const answers = await approval.answer(pendingCalls(post.snapshot), options.signal);
    if (!answers) break;
    const { sessionId: _, userId: __, ...again } = options;
    post = await follow(conversation, agent.resume(post.snapshot, answers, again));
  }
  return post;
}

function follow(
  { show, watch = identity }: Conversation,
  events$: Observable<SettledEvent>,
): Promise<SettledEvent<EventOf<'postCall'>>> {
  const own$ = watch(events$).pipe(
    tap(show),
    filter((event): event is SettledEvent<EventOf<'postCall'>> => event.type === 'postCall' && event.run.depth === 0),
  );
  return lastValueFrom(own$);
}
