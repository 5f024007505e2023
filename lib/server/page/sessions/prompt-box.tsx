import { useRef, useState } from 'preact/hooks';
import type { RunView } from '../../runs/run-view.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { addRun } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';

/** Starts a run. Returns an error message, or the run. */
export async function startRun(
  request:
    | { readonly prompt: string; readonly sessionId?: string }
    | { readonly regenerate: true; readonly sessionId: string },
): Promise<{ readonly error: string } | { readonly run: RunView }> {
  const { ok, body, error } = await callApi<RunView>('POST', '/api/runs', request);
  if (!ok) return { error };
  addRun(body);
  return { run: body };
}

/** A form for the prompt of a new run, in a session or in a new one. Enter sends it, Shift+Enter starts a new line. */
export function PromptBox({
  sessionId,
  examples = [],
  onStarted,
}: {
  readonly sessionId?: string;
  readonly examples?: readonly string[];
  readonly onStarted?: (run: RunView) => void;
}) {
  const [prompt, setPrompt] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const isEmpty = prompt.trim() === '';
  const send = async () => {
    if (isEmpty || busy) return;
    setBusy(true);
    const answer = await startRun({ prompt, ...(sessionId !== undefined && { sessionId }) });
    setBusy(false);
    // The prompt stays, so that it can be sent again.
    if ('error' in answer) return setError(answer.error);
    setError('');
    setPrompt('');
    onStarted?.(answer.run);
  };
  return (
    <form
      class="prompt-box"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={box}
        rows={3}
        aria-label="Prompt"
        placeholder="Ask the agent…"
        value={prompt}
        onInput={(event) => setPrompt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="prompt-actions">
        {examples.map((example) => (
          <button
            key={example}
            type="button"
            class="quiet"
            onClick={() => {
              setPrompt(example);
              box.current?.focus();
            }}
          >
            {example}
          </button>
        ))}
        <button type="submit" class="primary" disabled={isEmpty || busy}>
          {busy ? 'Starting…' : 'Run'}
        </button>
      </div>
      <ErrorNotice of={error} />
    </form>
  );
}
