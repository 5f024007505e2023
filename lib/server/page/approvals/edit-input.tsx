import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { Text } from '../ui/text.tsx';
import { visibleJson } from '../ui/visible-text.ts';
import { focusOnce } from './focus-once.ts';
import { readInput } from './read-input.ts';

/** The input of a call, which can be edited before approval. */
export function EditInput({
  input,
  busy,
  onDone,
  onCancel,
}: {
  readonly input: JsonObject;
  readonly busy: boolean;
  readonly onDone: (input: JsonObject) => void;
  readonly onCancel: () => void;
}) {
  const [text, setText] = useState(() => visibleJson(input));
  const read = readInput(text);
  const send = (event: Event) => {
    event.preventDefault();
    if ('input' in read) onDone(read.input);
  };
  return (
    <form class="edit" onSubmit={send}>
      <label>
        Input (JSON). All hooks and approvers judge it again.
        <textarea
          ref={focusOnce}
          spellcheck={false}
          rows={Math.min(16, text.split('\n').length + 1)}
          value={text}
          aria-invalid={'error' in read}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
          }}
        />
      </label>
      {'error' in read && <Text in="p" class="notice error" of={read.error} />}
      <div class="answers">
        <button type="submit" class="primary" disabled={busy || 'error' in read}>
          Approve this input
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
