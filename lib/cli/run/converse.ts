import { filter, lastValueFrom, type Observable, tap } from 'rxjs';
import type { Agent, AgentRunOptions } from '../../agent/agent.ts';
import { type Answer, pendingCalls, type Snapshot } from '../../agent/suspend/snapshot.ts';
import type { EventOf, SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Resumption } from '../inspect/answer-suspended.ts';
import type { RunPage } from '../inspect/inspect-run.ts';
import type { Approval } from '../setup/create-approval.ts';

/** More prompts in a row come from an approver that accepts no answer. */
const MAX_RESUMPTIONS = 100;

/** A prompt with everything needed to run it. */
export interface Conversation {
  readonly agent: Agent;
  readonly prompt: string;
  readonly options: AgentRunOptions & { readonly signal: AbortSignal };
  readonly approval: Approval;
  readonly show: (event: SettledEvent) => void;
  /** A page that also shows the events and accepts answers. */
  readonly page?: Pick<RunPage, 'show' | 'answers'> | undefined;
}

/** Runs the agent and resumes suspended runs with the user's answers until one ends otherwise. Returns its postCall. */
export async function converse(conversation: Conversation): Promise<SettledEvent<EventOf<'postCall'>>> {
  const { agent, prompt, options, approval, page } = conversation;
  const answer = page?.answers ?? answersOf;
  let post = await follow(conversation, agent.run(prompt, options));
  for (let resumed = 0; post.snapshot && resumed < MAX_RESUMPTIONS; resumed += 1) {
    const given = await answer(post.run.runId, post.snapshot, approval, options.signal);
    if (!given) break;
    const { sessionId: _, userId: __, ...again } = options;
    post = await follow(conversation, agent.resume(given.snapshot as Snapshot, given.answers, again));
  }
  return post;
}

async function answersOf(
  _: string,
  snapshot: JsonObject,
  approval: Approval,
  signal: AbortSignal,
): Promise<Resumption | undefined> {
  const answers: Record<string, Answer> = {};
  for (const call of pendingCalls(snapshot)) {
    const given = await approval.answer(call, signal);
    if (!given) return undefined;
    answers[call.key] = given;
  }
  return { snapshot, answers };
}

function follow(
  { show, page }: Conversation,
  events$: Observable<SettledEvent>,
): Promise<SettledEvent<EventOf<'postCall'>>> {
  const own$ = (page?.show(events$) ?? events$).pipe(
    tap(show),
    filter((event): event is SettledEvent<EventOf<'postCall'>> => event.type === 'postCall' && event.run.depth === 0),
  );
  return lastValueFrom(own$);
}
