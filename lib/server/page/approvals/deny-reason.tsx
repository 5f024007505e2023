import { useState } from 'preact/hooks';
import { focusOnce } from './focus-once.ts';

/** The reason for denying a call. */
export function DenyReason({
  busy,
  onDone,
  onCancel,
}: {
  readonly busy: boolean;
  readonly onDone: (reason: string) => void;
  readonly onCancel: () => void;
}) {
  const [reason, setReason] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    onDone(reason.trim());
  };
  return (
    <form class="edit" onSubmit={send}>
      <label>
        Reason for the model
        <input
          ref={focusOnce}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      </label>
      <div class="answers">
        <button type="submit" class="danger" disabled={busy}>
          Deny
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
