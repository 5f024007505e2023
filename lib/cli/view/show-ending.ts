import type { EventOf } from '../../events/hook-event.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Screen } from './screen.ts';
import { showHooks } from './show-hooks.ts';
import type { ReasoningView } from './show-reasoning.ts';

type ErrorEvent = EventOf<'error'>;

/** Shows the failures and the end of a run. */
export interface EndingView {
  show(event: ErrorEvent | EventOf<'postCall'>, steps: readonly TraceStep[]): void;
}

export function createEndingView(screen: Screen, reasoning: ReasoningView): EndingView {
  return {
    show(event, steps) {
      if (event.type === 'error') {
        // A tool failure is shown by its result.
        if (event.source !== 'tool') screen.lines('error', `! ${errorText(event)}`, 'red');
        return showHooks(screen, 'error', event, steps);
      }
      showHooks(screen, 'end', event, steps);
      reasoning.last(event.message);
      const well = exitCodes[event.outcome] === 0;
      screen.lines(
        'end',
        `● ${[outcomeText(event), usageText(event)].filter((part) => part !== '').join(' · ')}`,
        well ? 'green' : 'red',
      );
    },
  };
}

function errorText({ source, phase, hook, error }: ErrorEvent): string {
  const who = hook === undefined ? (source === 'host' ? `The ${phase}` : `The ${source}`) : `Hook "${hook}"`;
  // A hook's failure already contains its name.
  const whose = error.message.startsWith(who) ? '' : `${who} failed: `;
  const cause = error.cause && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  return `${whose}${error.message}${cause}`;
}

function outcomeText({ outcome, reason }: PostCall): string {
  return reason === undefined ? outcome : `${outcome}: ${reason}`;
}

function usageText({ usage, iteration }: PostCall): string {
  const times = iteration === 1 ? '1 model step' : `${iteration} model steps`;
  return usage
    ? `${times}, ${usage.inputTokens} tokens in and ${usage.outputTokens} out`
    : iteration === 0
      ? ''
      : times;
}
