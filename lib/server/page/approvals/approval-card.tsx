import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../../events/parts/message.ts';
import { toolCallsOf } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { ChangeView } from '../diff/change-view.tsx';
import { jsonChanges } from '../diff/json-changes.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MarkIcon } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { describeAnswer, may, putAway, type Waiting } from '../wire/activity.ts';
import { answerCall } from './answer-call.ts';
import { CallContext } from './call-context.tsx';
import { CallHead } from './call-head.tsx';
import { CallInput } from './call-input.tsx';
import { DenyReason } from './deny-reason.tsx';
import { EditInput } from './edit-input.tsx';
import { useCallEvents } from './use-call-events.ts';

type Mode = 'look' | 'edit' | 'deny';

/** A pending call: the exact input, the hook and its reason, and the three answers. */
export function ApprovalCard({ of, selected }: { readonly of: Waiting; readonly selected: boolean }) {
  const { approval, given } = of;
  const [mode, setMode] = useState<Mode>('look');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  /** The hash of the call whose whole input was in view. */
  const [seen, setSeen] = useState('');
  const card = useRef<HTMLElement>(null);
  const events = useCallEvents(approval);
  const asked = changesOf(events, approval);
  const prompt = approval.prompt === undefined ? undefined : withoutArguments(approval.prompt);
  const isLong = /\n|.{160}/.test(prompt ?? '');
  const mayAnswer = may('approve') && !given && !busy;
  const mayApprove = mayAnswer && seen === approval.hash;

  useEffect(() => {
    if (selected) card.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const answer = async (body: {
    readonly action: 'approve' | 'deny';
    readonly input?: JsonObject;
    readonly reason?: string;
  }) => {
    setBusy(true);
    setError(await answerCall(approval, body));
    setBusy(false);
  };
  const when = (act: () => unknown) => () => (selected && mayAnswer ? act() : false);
  useShortcuts({
    a: when(() => (mode === 'look' && mayApprove ? void answer({ action: 'approve' }) : false)),
    e: when(() => setMode('edit')),
    d: when(() => setMode('deny')),
    Escape: () => (selected && mode !== 'look' ? setMode('look') : false),
  });
  return (
    <article
      class={`card${selected ? ' selected' : ''}${given ? ' answered' : ''}`}
      ref={card}
      aria-label={`Approval of ${visibleText(approval.tool)}`}
      data-approval={approval.id}
    >
      <CallHead approval={approval} given={given} />
      {!isLong && <Prompt of={prompt} />}
      <div class="call-columns">
        {mode === 'edit' && !given ? (
          <EditInput
            input={approval.input}
            busy={busy}
            onDone={(input) => void answer({ action: 'approve', input })}
            onCancel={() => setMode('look')}
          />
        ) : (
          <CallInput of={approval.input} onSeen={() => setSeen(approval.hash)} />
        )}
        {isLong && <Prompt of={prompt} isLong />}
        {asked && (
          <details class="rewritten" open>
            <summary>Hooks changed this call</summary>
            {asked.map((change) => (
              <ChangeView key={change.path} of={change} />
            ))}
          </details>
        )}
      </div>
      <CallContext of={events} toolCallId={approval.toolCallId} />
      {!given && <ErrorNotice of={error || (approval.issue ?? '')} />}
      {given ? (
        <p class={`given given-${given.action ?? 'none'}`}>
          <MarkIcon of={given.action === 'deny' ? 'refused' : 'passed'} />
          <span>
            <Text of={describeAnswer(given)} />
            {given.reason !== undefined && (
              <>
                : <Text of={given.reason} />
              </>
            )}
          </span>
          <button type="button" class="link" onClick={() => putAway(approval.id)}>
            Dismiss
          </button>
        </p>
      ) : mode === 'deny' ? (
        <DenyReason
          busy={busy}
          onDone={(reason) => void answer({ action: 'deny', ...(reason !== '' && { reason }) })}
          onCancel={() => setMode('look')}
        />
      ) : (
        mode === 'look' && (
          <div class="answers">
            <button
              type="button"
              class="primary"
              disabled={!mayApprove}
              title={mayAnswer && !mayApprove ? 'Scroll to the end of the input, or show all of it.' : undefined}
              onClick={() => void answer({ action: 'approve' })}
            >
              Approve <kbd>a</kbd>
            </button>
            <button type="button" disabled={!mayAnswer} onClick={() => setMode('edit')}>
              Edit… <kbd>e</kbd>
            </button>
            <button type="button" class="danger" disabled={!mayAnswer} onClick={() => setMode('deny')}>
              Deny… <kbd>d</kbd>
            </button>
          </div>
        )
      )}
    </article>
  );
}

/** Returns the changes of hooks to the call that the model requested; `undefined` if it is unchanged or unknown. */
function changesOf(events: readonly JsonObject[], { toolCallId, input: now }: Waiting['approval']) {
  const input = judgedInput(events, toolCallId);
  const changes = input === undefined ? [] : jsonChanges(input, now);
  return changes.length > 0 ? changes : undefined;
}

/** Returns the input of a call as the model requested it, from the preceding events; undefined if they do not contain it. */
function judgedInput(events: readonly JsonObject[], toolCallId: string): JsonObject | undefined {
  for (const { type, message } of [...events].reverse()) {
    if (type !== 'postReasoning') continue;
    const call = toolCallsOf(message as unknown as Message).find(({ id }) => id === toolCallId);
    if (call) return call.input as JsonObject;
  }
  return undefined;
}

function Prompt({ of, isLong = false }: { readonly of: string | undefined; readonly isLong?: boolean }) {
  if (of === undefined) return null;
  return <Text in="p" class={isLong ? 'prompt long' : 'prompt'} of={of} />;
}

/** Returns a prompt of `callPrompt` without its arguments, for a view that shows the whole input. Any other prompt is unchanged. */
function withoutArguments(prompt: string): string {
  return prompt.replace(/\n {2}Arguments: [\s\S]*(?=\nMay it run\?$)/, '');
}
