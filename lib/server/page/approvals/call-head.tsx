import { askersOf } from '../../../events/decisions/ask.ts';
import type { Approval } from '../../approvals/approval.ts';
import { places, route } from '../app/route.ts';
import { showClock } from '../ui/format.ts';
import { MarkIcon } from '../ui/icons.tsx';
import { now } from '../ui/now.ts';
import { Text } from '../ui/text.tsx';
import { me, type Waiting } from '../wire/activity.ts';

/** The call, the hook that asks, and the remaining time. */
export function CallHead({ approval, given }: { readonly approval: Approval; readonly given: Waiting['given'] }) {
  const { tool, agent, user, sessionId, runId, suspendedAt, expiresAt, workspace } = approval;
  const askers = askersOf(approval);
  const left = Date.parse(expiresAt) - now.value;
  // Another user's run cannot be opened.
  const isOwn = user === '' || user === me.value?.user;
  return (
    <header>
      <h2>
        <MarkIcon of="waiting" />
        <Text in="code" of={tool} />
      </h2>
      <p class="card-facts">
        {askers.length > 0 && (
          <span>
            asked by <Text in="strong" of={askers.join(' and ')} />
          </span>
        )}
        <span>
          agent <Text of={agent} />
        </span>
        {user !== '' && (
          <span>
            user <Text of={user} />
          </span>
        )}
        <span class="session">
          session <Text of={sessionId} />
        </span>
        {workspace !== undefined && (
          <span>
            workspace <Text of={workspace} />
          </span>
        )}
        {route.value.view !== 'run' && isOwn && <a href={places.run(runId)}>open run</a>}
      </p>
      {!given && (
        <p class={left < 60_000 ? 'clock soon' : 'clock'}>
          <span>pending for {showClock(now.value - Date.parse(suspendedAt))}</span>
          <span title="Without an answer, the call is denied.">
            {left > 0 ? `answer within ${showClock(left)}` : 'expired'}
          </span>
        </p>
      )}
    </header>
  );
}
