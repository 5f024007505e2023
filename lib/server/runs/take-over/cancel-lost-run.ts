import { UNKNOWN_EFFECT } from '../../../agent/recover/recover-from.ts';
import type { EventOf, HookEvent, SettledEvent } from '../../../events/hook-event.ts';
import { errorResult } from '../../../events/parts/tool-result.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { LostRun } from '../../records/run-records.ts';
import { type ClaimParts, claimRun } from './claim-run.ts';

const REASON = 'cancelled over HTTP after its server had ended';

/** Ends a lost run as cancelled, unless it has ended, is suspended, or another server continues it. Its calls that had begun are closed. */
export async function cancelLostRun(lost: LostRun, parts: ClaimParts): Promise<void> {
  const claimed = await claimRun(lost, parts);
  if (!claimed) return;
  const entries = closingEvents(claimed.log.entries, REASON).map((event) => ({ event }) as unknown as JsonObject);
  // The log ends before the head, so that another server finds the end if this one cannot write the head.
  if (entries.length > 0) await parts.store.append(lost.key, { entries });
  await claimed.end({ outcome: 'cancelled', reason: REASON });
}

/** An active run in a log. */
interface OpenRun {
  last: SettledEvent;
  /** Calls that have begun. A model may use an ID twice. */
  readonly calls: EventOf<'preActing'>[];
}

/** Returns the events that end a run and its sub-agents, the innermost first. */
export function closingEvents(
  entries: readonly JsonObject[],
  reason: string,
  time: number = Date.now(),
): readonly SettledEvent[] {
  const open = new Map<string, OpenRun>();
  for (const entry of entries) {
    const event = entry['event'] as unknown as SettledEvent | undefined;
    const runId = event?.run?.runId;
    if (!event || runId === undefined) continue;
    if (event.type === 'postCall') open.delete(runId);
    else open.set(runId, withEvent(open.get(runId) ?? { last: event, calls: [] }, event));
  }
  return [...open.values()].reverse().flatMap(({ last, calls }) => {
    const { run, iteration } = last;
    const closing: readonly HookEvent[] = [
      ...calls.map(({ toolCall, permission, iteration }): HookEvent => {
        const result = errorResult(UNKNOWN_EFFECT);
        return {
          type: 'postActing',
          run,
          iteration,
          toolCall,
          permission,
          result,
          outcome: 'cancelled',
          durationMs: 0,
        };
      }),
      { type: 'postCall', run, iteration, outcome: 'cancelled', reason },
    ];
    return closing.map((event, nth) => ({ ...event, seq: last.seq + 1 + nth, time }));
  });
}

function withEvent({ calls }: OpenRun, event: SettledEvent): OpenRun {
  if (event.type === 'preActing' && event.decision === undefined) calls.push(event);
  const settled =
    event.type === 'postActing' ? calls.findIndex(({ toolCall }) => toolCall.id === event.toolCall.id) : -1;
  return { last: event, calls: settled < 0 ? calls : calls.toSpliced(settled, 1) };
}
