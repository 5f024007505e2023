import { askersOf } from '../../events/decisions/ask.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { Screen } from './screen.ts';

const PATHS = 3;

/** Shows the effects of hooks on an event: changes, notes, and the decision with its reason. */
export function showHooks(
  screen: Screen,
  section: string,
  event: HookEvent,
  steps: readonly TraceStep[],
  indent = '',
): void {
  for (const { hook, effect, paths = [] } of steps) {
    if (effect !== 'changed' && !(effect === 'decided' && paths.length > 0)) continue;
    const more = paths.length > PATHS ? ` and ${paths.length - PATHS} more` : '';
    screen.lines(section, `${indent}~ ${hook} changed ${paths.slice(0, PATHS).join(', ')}${more}`, 'yellow');
  }
  for (const { by, message } of event.notes ?? []) screen.lines(section, `${indent}~ ${by}: ${message}`, 'yellow');
  const decisionText = decisionOf(event);
  if (decisionText)
    screen.lines(
      section,
      decisionText
        .split('\n')
        .map((line) => indent + line)
        .join('\n'),
      'red',
    );
}

function decisionOf(event: HookEvent): string | undefined {
  const { decision } = event;
  if (!decision) return undefined;
  const by = decision.by ?? 'a hook';
  switch (decision.action) {
    case 'deny':
      return `✗ denied by ${by}: ${decision.reason}`;
    case 'abort':
      return `■ aborted by ${by}: ${decision.reason}`;
    case 'suspend':
      return `? ${decision.asks ? `${askersOf(decision).join(' and ')} ask` : `${by} asks`}: ${decision.prompt}`;
    case 'finish':
      return `■ finished by ${by}`;
    case 'retry': {
      const added = 'messages' in decision ? (decision.messages ?? []).map(textOf).join(' ') : '';
      return `↻ ${by} retries this${added === '' ? '' : `: ${added}`}`;
    }
    case 'respond':
      return `= ${by} responds ${inPlaceOf(event)}`;
  }
}

function inPlaceOf({ type }: HookEvent): string {
  if (type === 'preActing') return 'instead of the tool';
  return type === 'error' ? 'instead of the failed step' : 'instead of the model';
}
