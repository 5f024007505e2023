import {
  AbstractAgent,
  type BaseEvent,
  enforceEvents,
  type Message,
  transformChunks,
  verifyEvents,
} from '@ag-ui/client';
import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import type { AgUiEvent } from '../../../lib/adapters/ag-ui/index.ts';

/** The events that pass the client's verifier. An invalid one fails. */
export function verified(events: readonly AgUiEvent[]): Promise<readonly BaseEvent[]> {
  const sent$ = from(events as unknown as BaseEvent[]) as Observable<BaseEvent>;
  const pipeline$ = sent$.pipe(enforceEvents(), transformChunks(false) as never, verifyEvents(false) as never);
  return lastValueFrom((pipeline$ as Observable<BaseEvent>).pipe(toArray()));
}

/** The messages that a client shows after these events, in addition to earlier ones. */
export async function messagesAfter(
  events: readonly AgUiEvent[],
  before: readonly Message[] = [],
): Promise<readonly Message[]> {
  class Replay extends AbstractAgent {
    override run(): ReturnType<AbstractAgent['run']> {
      return from(events as unknown as BaseEvent[]) as unknown as ReturnType<AbstractAgent['run']>;
    }
  }
  const agent = new Replay({ threadId: 't', initialMessages: [...before] });
  await agent.runAgent();
  return agent.messages;
}
