import { Observable, Subscriber } from 'rxjs';
import type { Abort } from '../events/decisions/decision.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import { addUsage, type Usage } from '../events/parts/usage.ts';
import { forward, type Process } from '../pipeline/flow/drive.ts';

/** The results of a phase that the loop needs. */
export interface PhaseResults {
  preCall?: EventOf<'preCall'>;
  preActing?: EventOf<'preActing'>;
  postReasoning?: EventOf<'postReasoning'>;
  postActing?: EventOf<'postActing'>;
  abort?: Abort;
  /** The usage of sub-agents that ended. A suspended one reports its total when it has resumed. */
  childUsage?: Usage;
}

/** Emits the events of a phase within a process. Returns the results from the events of the run `runId`. */
export function* collectResults(events$: Observable<SettledEvent>, runId: string): Process<PhaseResults> {
  const collector = observePhase(events$, runId);
  yield* forward(collector.events$);
  return collector.results;
}

/**
 * Returns the events of a phase, and the results so far from the events of the run `runId`. `onAbort` is called after the abort event was forwarded.
 * Otherwise, its effects would precede or replace the event.
 */
export function observePhase(
  events$: Observable<SettledEvent>,
  runId: string,
  onAbort: (abort: Abort) => void = () => {},
): { readonly events$: Observable<SettledEvent>; readonly results: PhaseResults } {
  const results: PhaseResults = {};
  const collector = (subscriber: Subscriber<SettledEvent>) => new PhaseCollector(subscriber, runId, results, onAbort);
  return { events$: new Observable((subscriber) => events$.subscribe(collector(subscriber))), results };
}

class PhaseCollector extends Subscriber<SettledEvent> {
  readonly #destination: Subscriber<SettledEvent>;
  readonly #runId: string;
  readonly #results: PhaseResults;
  readonly #onAbort: (abort: Abort) => void;

  constructor(
    destination: Subscriber<SettledEvent>,
    runId: string,
    results: PhaseResults,
    onAbort: (abort: Abort) => void,
  ) {
    super(destination);
    this.#destination = destination;
    this.#runId = runId;
    this.#results = results;
    this.#onAbort = onAbort;
  }

  protected override _next(event: SettledEvent): void {
    const own = event.run.runId === this.#runId;
    if (own) note(event, this.#results);
    else if (event.type === 'postCall' && event.run.parentRunId === this.#runId) noteChild(event, this.#results);
    this.#destination.next(event);
    if (own && event.decision?.action === 'abort') this.#onAbort(event.decision);
  }
}

function noteChild({ outcome, usage }: EventOf<'postCall'>, results: PhaseResults): void {
  const total = outcome === 'suspended' ? results.childUsage : addUsage(results.childUsage, usage);
  if (total) results.childUsage = total;
}

function note(event: SettledEvent, results: PhaseResults): void {
  if (event.type === 'preCall') results.preCall = event;
  if (event.type === 'preActing') results.preActing = event;
  if (event.type === 'postReasoning') results.postReasoning = event;
  if (event.type === 'postActing') results.postActing = event;
  if (event.decision?.action === 'abort') results.abort = event.decision;
}
