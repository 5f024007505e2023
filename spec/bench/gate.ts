import { concatMap, of } from 'rxjs';
import { freezeEvent } from '../../lib/events/values/deep-freeze.ts';
import { createPipeline, defineHook, type HookContext, type HookEvent } from '../../lib/index.ts';
import { passGate } from '../../lib/pipeline/gate/gate.ts';
import type { RunScope } from '../../lib/pipeline/run/run-scope.ts';
import { createStep } from '../../lib/pipeline/run/step-scope.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './result.ts';
import { postReasoningEvent, scopeOf } from './scope-of.ts';

const SIZE = 50_000;

/** A gate event through ten handlers that do nothing, against a loop and against a chain of concatMap. */
export function gateBench(): BenchResult[] {
  const handlers = Array.from(
    { length: 10 },
    (_, index) =>
      new Function('event', 'context', `return undefined; // ${index}`) as (
        event: HookEvent,
        context: HookContext,
      ) => undefined,
  );
  const pipeline = createPipeline(
    handlers.map((handle, index) => defineHook({ name: `h${index}`, on: { postReasoning: handle } })),
  );
  const scope: RunScope = scopeOf(pipeline);
  const step = createStep(scope, 'reasoning');
  const context = {} as HookContext;
  const frozen = freezeEvent(postReasoningEvent(scope.info));
  let kept: unknown;

  const times = measure(
    {
      loop: () => {
        for (let i = 0; i < SIZE; i++) {
          let event: HookEvent = frozen;
          for (const handle of handlers) event = handle(event, context) ?? event;
          kept = event;
        }
      },
      gate: () => {
        for (let i = 0; i < SIZE; i++) kept = passGate(step, frozen);
      },
      'gate with freezing': () => {
        for (let i = 0; i < SIZE; i++) kept = passGate(step, freezeEvent(postReasoningEvent(scope.info)));
      },
      concatMap: () => {
        for (let i = 0; i < SIZE; i++) {
          const event = postReasoningEvent(scope.info) as HookEvent;
          const stage = (index: number) =>
            concatMap((e: HookEvent) => of((handlers[index] as (typeof handlers)[number])(e, context) ?? e));
          of(event)
            .pipe(stage(0), stage(1), stage(2), stage(3), stage(4), stage(5), stage(6), stage(7), stage(8), stage(9))
            .subscribe((e) => {
              kept = e;
            });
        }
      },
    },
    SIZE,
  );
  void kept;
  return [
    {
      name: 'gate, 10 no-op handlers, freezing included, against of().pipe(concatMap x 10)',
      unit: 'times faster',
      value: (times['concatMap'] ?? 0) / (times['gate with freezing'] ?? 1),
      least: 6,
    },
    {
      name: 'gate, 10 no-op handlers, without freezing, against a bare loop',
      unit: 'times the cost',
      value: (times['gate'] ?? 0) / (times['loop'] ?? 1),
      most: 4,
    },
  ];
}
