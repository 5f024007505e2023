import { concatMap, defer, isObservable, map, Observable, of, Subject } from 'rxjs';
import { isChunk } from '../events/chunk-text.ts';
import type { ChunkEvent, GateEvent, HookEvent, SettledEvent } from '../events/hook-event.ts';
import { freezeEvent } from '../events/values/deep-freeze.ts';
import { Vault } from '../pipeline/calls/vault.ts';
import { streamThroughLane } from '../pipeline/chunks/lane.ts';
import { OpenBlock } from '../pipeline/chunks/open-block.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import { passGate } from '../pipeline/gate/gate.ts';
import { judge } from '../pipeline/gate/judge.ts';
import { type RunScope, settle } from '../pipeline/run/run-scope.ts';
import { StepFailure } from '../pipeline/run/step-failure.ts';
import { createStep, type StepScope, takeTolerated } from '../pipeline/run/step-scope.ts';
import type { PipelineOptions } from '../pipeline/settings.ts';
import { testScope } from './test-scope.ts';

/**
 * Sends events through the handlers, operators and approvers of hooks, like a run. Chunks pass the chunk stages, block by block, and every other
 * event passes its gate. A hook failure that ends a step is an error of the stream. `tolerated` receives other failures.
 */
export function passEvents(
  hooks: readonly Hook[],
  events$: Observable<HookEvent>,
  options: PipelineOptions = {},
  tolerated: (failure: StepFailure) => void = () => {},
): Observable<SettledEvent> {
  return new Observable((subscriber) => {
    let scope: RunScope | undefined;
    let chunks$: Subject<ChunkEvent> | undefined;
    const fail = (thrown: unknown): void => subscriber.error(thrown instanceof StepFailure ? thrown.cause : thrown);
    const end = (): void => (chunks$ ? chunks$.complete() : subscriber.complete());
    /** All chunks of a stream have the same type. */
    const openLane = (scope: RunScope, type: ChunkEvent['type']): Subject<ChunkEvent> => {
      const step = createStep(scope, type === 'actingChunk' ? 'acting' : 'reasoning');
      step.consumer = subscriber;
      const given$ = new Subject<ChunkEvent>();
      const after = (then: () => void): void => {
        for (const failure of takeTolerated(step)) tolerated(failure);
        then();
      };
      subscriber.add(
        chunkLane(step, given$, type).subscribe({
          error: (thrown) => after(() => fail(thrown)),
          complete: () => after(() => subscriber.complete()),
        }),
      );
      return given$;
    };
    const gates$ = new Observable<SettledEvent>((settled) =>
      events$
        .pipe(
          concatMap((event) => {
            scope ??= testScope(hooks, event.run, options);
            if (!isChunk(event)) return passOne(scope, event, tolerated);
            chunks$ ??= openLane(scope, event.type);
            chunks$.next(event);
            return [];
          }),
        )
        .subscribe(settled),
    );
    subscriber.add(() => scope?.lifetime.cancel('no longer wanted'));
    subscriber.add(gates$.subscribe({ next: (event) => subscriber.next(event), error: fail, complete: end }));
  });
}

function passOne(
  scope: RunScope,
  event: GateEvent,
  tolerated: (failure: StepFailure) => void,
): Observable<SettledEvent> {
  return defer(() => {
    const phase = event.type.endsWith('Acting') ? 'acting' : event.type === 'error' ? event.phase : 'call';
    const step = createStep(scope, phase);
    if ('toolCall' in event) step.toolCall = event.toolCall;
    if ('permission' in event) step.permission = event.permission;
    step.vault = new Vault();
    // A copy, because the engine remembers decisions per event, and a spec may use an event twice.
    const passed$ = toObservable(passGate(step, freezeEvent({ ...event })));
    return passed$.pipe(
      concatMap((passed) =>
        passed.type === 'preActing' && (passed.decision?.action ?? 'respond') === 'respond'
          ? toObservable(judge(step, passed, {}))
          : of(passed),
      ),
      map((judged) => {
        for (const failure of takeTolerated(step)) tolerated(failure);
        const settled = settle(scope, judged);
        scope.publish();
        return settled;
      }),
    );
  });
}

function toObservable<T>(value: T | Observable<T>): Observable<T> {
  return isObservable(value) ? value : of(value);
}

/** Runs the chunk stages of a step on chunk events. Each goes to its block, which its last chunk ends. Emitted chunks go to `step.consumer`. */
function chunkLane(step: StepScope, chunks$: Observable<ChunkEvent>, type: ChunkEvent['type']): Observable<never> {
  const blocks = new Map<string | number, OpenBlock<ChunkEvent>>();
  const gathered = { stopped: false, aborted: undefined, left() {} };
  return streamThroughLane<ChunkEvent, ChunkEvent>(step, step.scope.plan.lanes[type], gathered, (lane) => ({
    start: () => chunks$,
    failureOf: (thrown) => new StepFailure('host', thrown),
    take(event) {
      const key = event.type === 'reasoningChunk' ? event.block : event.toolCall.id;
      const { seq: _, time: __, notes: ___, decision: ____, ...rest } = event as SettledEvent<ChunkEvent>;
      const empty = event.type === 'reasoningChunk' ? { delta: '' } : { content: '' };
      const block = blocks.get(key) ?? new OpenBlock(lane, { ...rest, ...empty, last: false } as ChunkEvent);
      blocks.set(key, block);
      if (event.last) block.end();
      else block.push({ ...event });
    },
  }));
}
