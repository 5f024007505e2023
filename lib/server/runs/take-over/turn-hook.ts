import { defer, first, repeat, switchMap, throwError } from 'rxjs';
import { HooklineError } from '../../../errors.ts';
import { abort } from '../../../events/decisions/abort.ts';
import { ofServer } from '../../../hooks/recorder/hook-origin.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../pipeline/define/hook.ts';

/** Time until the store is asked again, in milliseconds. */
const RETRY_MS = 100;

const LOST = 'This server lost its turn in the session, so another one may continue it. Start a new run.';

/**
 * Returns a hook for a run and its sub-agents. It denies calls and ends the run at its next model request once the turn of the session is lost. Each
 * attempt of a call waits until the events of the run are `stored`, and fails without the turn.
 */
export function turnHook(isHeld: () => boolean, stored?: (runId: string) => Promise<boolean>): Hook {
  const isReady = async (runId: string) => !isHeld() || !stored || stored(runId);
  const hook = defineHook({
    name: 'session-turn',
    // Innermost, so that each attempt of another hook is checked.
    priority: Number.MAX_SAFE_INTEGER,
    description: 'Stops a run if its server lost the turn in the session.',
    approve: () => (isHeld() ? verdict.allow() : verdict.deny(LOST)),
    on: { preReasoning: (event) => (isHeld() ? event : abort(event, LOST)) },
    around: {
      acting: ({ run }, next) =>
        defer(() => isReady(run.runId)).pipe(
          repeat({ delay: RETRY_MS }),
          first(Boolean),
          switchMap(() => (isHeld() ? next() : throwError(() => new HooklineError('STORE_CONFLICT', LOST)))),
        ),
    },
  });
  return ofServer(hook);
}
