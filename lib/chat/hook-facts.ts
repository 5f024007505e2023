import type { SettledEvent } from '../events/hook-event.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { stepsOf } from '../pipeline/trace/tracer.ts';

/** Returns decisions, notes and, if the run is traced, changes of hooks: names, codes and paths, never values. Undefined if there are none. */
export function hookFacts(event: SettledEvent): JsonObject | undefined {
  const { decision, notes } = event;
  const steps = stepsOf(event)?.filter(({ effect }) => effect === 'changed' || effect === 'failed') ?? [];
  if (!decision && !notes && steps.length === 0) return undefined;
  return {
    ...(decision && { decision: { action: decision.action, ...(decision.by !== undefined && { by: decision.by }) } }),
    ...(notes && { notes: notes.map(({ by, code }) => ({ by, code })) }),
    ...(steps.length > 0 && {
      steps: steps.map(({ hook, effect, paths }) => ({ hook, effect, ...(paths && { paths: [...paths] }) })),
    }),
  };
}
