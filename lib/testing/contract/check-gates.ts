import { of } from 'rxjs';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { GateEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { describeEvent } from '../describe-event.ts';
import { differences } from '../differences.ts';
import { show } from '../marbles/expected-event.ts';
import { passEvents } from '../pass-events.ts';
import type { Bench } from './bench.ts';

/** Sends every gate event that the hook handles through it: whole, cancelled and, for an idempotent hook, twice. */
export async function checkGates(bench: Bench, events: readonly GateEvent[]): Promise<void> {
  for (const event of events.filter((one) => handles(bench.hook, one))) {
    const where = bench.hook.approve && !handlesOn(bench.hook, event) ? 'approve' : `on.${event.type}`;
    const when = `with ${describeEvent(event, 30)}`;
    const start =
      (given: GateEvent) =>
      (hook: Hook, ...rest: [object, (failure: never) => void]) =>
        passEvents([hook], of(given), ...(rest as [object, () => void]));
    const { events: once, ended } = await bench.play({ where, when, start: start(event) });
    await bench.play({ where, when: `${when}, cancelled`, cancel: true, start: start(event) });
    if (!bench.hook.idempotent || !ended || !once[0]) continue;
    const { events: twice } = await bench.play({
      where,
      when: `${when}, a second time`,
      start: start(undecided(once[0])),
    });
    compare(bench, where, once[0], twice[0]);
  }
}

function compare(bench: Bench, where: string, once: SettledEvent, twice: SettledEvent | undefined): void {
  for (const key of eventRules[once.type].changes) {
    const [first, second] = [once, twice].map(
      (event) => (event as unknown as Record<string, unknown> | undefined)?.[key],
    );
    const [found] = [...differences(second, first, key), ...differences(first, second, key)];
    if (!found) continue;
    bench.issues.add(
      where,
      `is declared idempotent, but applying it twice differs from once: ${found.path} is ${show(found.expected)}, then ${show(found.actual)}. Let it detect its own changes, or remove \`idempotent\`.`,
    );
    return;
  }
}

function undecided(event: SettledEvent): GateEvent {
  const { seq: _, time: __, notes: ___, decision: ____, ...rest } = event;
  return rest as GateEvent;
}

function handles(hook: Hook, event: GateEvent): boolean {
  return handlesOn(hook, event) || (event.type === 'preActing' && hook.approve !== undefined);
}

function handlesOn({ on }: Hook, event: GateEvent): boolean {
  return typeof on === 'function' || on?.[event.type] !== undefined;
}
