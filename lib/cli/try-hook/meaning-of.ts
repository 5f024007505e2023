import type { HookEvent } from '../../events/hook-event.ts';

/** What a hook has made of an event, in words. */
export function meaningOf(before: HookEvent, after: HookEvent | undefined): string[] {
  if (after === undefined || after === before) return ['lets it go on as it is'];
  const changed = Object.keys(after).filter(
    (key) =>
      !['decision', 'notes'].includes(key) &&
      JSON.stringify(after[key as 'type']) !== JSON.stringify(before[key as 'type']),
  );
  const { decision } = after;
  const reason = decision && 'reason' in decision ? `: ${decision.reason}` : '';
  const given = decision && ('result' in decision ? `: ${decision.result.content}` : '');
  return [
    ...changed.map((key) => `changes ${key} to ${JSON.stringify(after[key as 'type'])}`),
    ...(decision ? [`decides ${decision.action}${reason}${given ?? ''}`] : []),
  ];
}
