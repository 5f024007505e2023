import { Observable, Subscriber } from 'rxjs';
import type { Abort } from '../events/decisions/decision.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import { forward, type Process } from '../pipeline/flow/drive.ts';

/** What the loop has to know of a phase's events. */
export interface Heard {
  preCall?: EventOf<'preCall'>;
  preActing?: EventOf<'preActing'>;
  postReasoning?: EventOf<'postReasoning'>;
  postActing?: EventOf<'postActing'>;
  abort?: Abort;
}

/** Within a process: emits the events of a phase, and gives what `runId`'s own among them say. */
export function* hear(events$: Observable<SettledEvent>, runId: string): Process<Heard> {
  const hearing = listen(events$, runId);
  yield* forward(hearing.events$);
  return hearing.heard;
}

/**
 * The events of a phase, and what `runId`'s own among them have said so far. `onAbort` is told of an abort when the event has been passed
 * on: what it does about it would otherwise come before the event, or in its place.
 */
export function listen(
  events$: Observable<SettledEvent>,
  runId: string,
  onAbort: (abort: Abort) => void = () => {},
): { readonly events$: Observable<SettledEvent>; readonly heard: Heard } {
  const heard: Heard = {};
  const hearing = (subscriber: Subscriber<SettledEvent>) => new Hearing(subscriber, runId, heard, onAbort);
  return { events$: new Observable((subscriber) => events$.subscribe(hearing(subscriber))), heard };
}

class Hearing extends Subscriber<SettledEvent> {
  readonly #destination: Subscriber<SettledEvent>;
  readonly #runId: string;
  readonly #heard: Heard;
  readonly #onAbort: (abort: Abort) => void;

  constructor(destination: Subscriber<SettledEvent>, runId: string, heard: Heard, onAbort: (abort: Abort) => void) {
    super(destination);
    this.#destination = destination;
    this.#runId = runId;
    this.#heard = heard;
    this.#onAbort = onAbort;
  }

  protected override _next(event: SettledEvent): void {
    const own = event.run.runId === this.#runId;
    if (own) note(event, this.#heard);
    this.#destination.next(event);
    if (own && event.decision?.action === 'abort') this.#onAbort(event.decision);
  }
}

function note(event: SettledEvent, heard: Heard): void {
  if (event.type === 'preCall') heard.preCall = event;
  if (event.type === 'preActing') heard.preActing = event;
  if (event.type === 'postReasoning') heard.postReasoning = event;
  if (event.type === 'postActing') heard.postActing = event;
  if (event.decision?.action === 'abort') heard.abort = event.decision;
}
