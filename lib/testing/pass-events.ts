import { concatMap, defer, isObservable, map, Observable, of } from 'rxjs';
import type { ChunkEvent, GateEvent, HookEvent, SettledEvent } from '../events/hook-event.ts';
import { createVault } from '../pipeline/calls/vault.ts';
import { announceChunk, stampChunk } from '../pipeline/chunks/settle-chunk.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import { passGate } from '../pipeline/gate/gate.ts';
import { judge } from '../pipeline/gate/judge.ts';
import type { PipelineOptions } from '../pipeline/pipeline.ts';
import { gateEvent, type RunScope, settle } from '../pipeline/run/run-scope.ts';
import { StepFailure } from '../pipeline/run/step-failure.ts';
import { createStep, takeTolerated } from '../pipeline/run/step-scope.ts';
import { chunkLane } from './chunk-lane.ts';
import { testScope } from './test-scope.ts';

/**
 * Sends events through the handlers, operators and approvers of hooks, as a run would: chunks through the chunk stages, block by block,
 * every other event through its gate. A hook whose failure ends a step is an error of the stream; `tolerated` is told of other failures.
 */
export function passEvents(
  hooks: readonly Hook[],
  events$: Observable<HookEvent>,
  options: PipelineOptions = {},
  tolerated: (failure: StepFailure) => void = () => {},
): Observable<SettledEvent> {
  return new Observable((subscriber) => {
    let scope: RunScope | undefined;
    let lane: ReturnType<typeof chunkLane> | undefined;
    const fail = (thrown: unknown): void => subscriber.error(thrown instanceof StepFailure ? thrown.cause : thrown);
    const end = (): void => (lane ? lane.end() : subscriber.complete());
    const gates$ = new Observable<SettledEvent>((settled) =>
      events$
        .pipe(
          concatMap((event) => {
            scope ??= testScope(hooks, event.run, options);
            if (!isChunk(event)) return passOne(scope, event, tolerated);
            lane ??= chunkLane(createStep(scope, event.type === 'actingChunk' ? 'acting' : 'reasoning'), event.type, {
              left: (chunk, template) => {
                const settled = stampChunk(scope as RunScope, chunk, template);
                announceChunk(scope as RunScope, chunk, settled);
                subscriber.next(settled);
              },
              fail,
              tolerated,
              over: () => subscriber.complete(),
            });
            lane.push(event);
            return [];
          }),
        )
        .subscribe(settled),
    );
    subscriber.add(() => {
      lane?.discard();
      scope?.lifetime.cancel('no longer wanted');
    });
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
    step.vault = createVault();
    // A copy: the engine remembers of an event whether a decision was taken on it, and a spec may use one twice.
    const passed$ = toObservable(passGate(step, gateEvent({ ...event })));
    return passed$.pipe(
      concatMap((passed) =>
        passed.type === 'preActing' && (passed.decision?.action ?? 'respond') === 'respond'
          ? toObservable(judge(step, passed, []))
          : of(passed),
      ),
      map((judged) => {
        for (const failure of takeTolerated(step)) tolerated(failure);
        const settled = settle(scope, judged);
        scope.tell();
        return settled;
      }),
    );
  });
}

function isChunk(event: HookEvent): event is ChunkEvent {
  return event.type === 'reasoningChunk' || event.type === 'actingChunk';
}

function toObservable<T>(value: T | Observable<T>): Observable<T> {
  return isObservable(value) ? value : of(value);
}
