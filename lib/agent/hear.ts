import { Observable } from 'rxjs';
import type { Abort } from '../events/decisions/decision.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Sink } from '../pipeline/flow/link.ts';
import { Relay } from '../pipeline/flow/relay.ts';

/** What the loop has to know of a phase's events. */
export interface Heard {
  preCall?: EventOf<'preCall'>;
  preActing?: EventOf<'preActing'>;
  postReasoning?: EventOf<'postReasoning'>;
  postActing?: EventOf<'postActing'>;
  abort?: Abort;
}

/**
 * Notes in `heard` what `runId`'s own events say, as they pass. `onAbort` is told of an abort when the event has been passed on: what it
 * does about it would otherwise come before the event, or in its place.
 */
export function hear(
  events$: Observable<SettledEvent>,
  runId: string,
  heard: Heard,
  onAbort?: (abort: Abort) => void,
): Observable<SettledEvent> {
  return new Observable((subscriber) => events$.subscribe(new Hearing(subscriber, runId, heard, onAbort)));
}

class Hearing extends Relay<SettledEvent> {
  readonly #runId: string;
  readonly #heard: Heard;
  readonly #onAbort: ((abort: Abort) => void) | undefined;

  constructor(target: Sink<SettledEvent>, runId: string, heard: Heard, onAbort: ((abort: Abort) => void) | undefined) {
    super(target);
    this.#runId = runId;
    this.#heard = heard;
    this.#onAbort = onAbort;
  }

  protected override onNext(event: SettledEvent): void {
    const own = event.run.runId === this.#runId;
    if (own) note(event, this.#heard);
    super.onNext(event);
    if (own && event.decision?.action === 'abort') this.#onAbort?.(event.decision);
  }
}

function note(event: SettledEvent, heard: Heard): void {
  if (event.type === 'preCall') heard.preCall = event;
  if (event.type === 'preActing') heard.preActing = event;
  if (event.type === 'postReasoning') heard.postReasoning = event;
  if (event.type === 'postActing') heard.postActing = event;
  if (event.decision?.action === 'abort') heard.abort = event.decision;
}
