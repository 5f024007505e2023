import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TraceStep } from '../../../pipeline/define/hook.ts';
import { readInput } from '../approvals/read-input.ts';
import { ChangeView } from '../diff/change-view.tsx';
import { jsonChanges } from '../diff/json-changes.ts';
import { Chain } from '../run/chain.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Text } from '../ui/text.tsx';
import { callApi } from '../wire/call-api.ts';

interface Explained {
  readonly decision: { readonly action: string; readonly by?: string; readonly reason?: string };
  readonly toolCall: { readonly name: string; readonly input: object };
  readonly steps: readonly TraceStep[];
  readonly notApplied: readonly { readonly hook: string; readonly why: string }[];
}

/** The call that the form opens with. */
export const explained = signal<
  { readonly tool: string; readonly input: string; readonly permission: string } | undefined
>(undefined);

/** A dry run of a tool call: its outcome and the reasons. The tool does not run, and no approval prompts are sent. */
export function ExplainForm() {
  const [tool, setTool] = useState(explained.value?.tool ?? 'bash');
  const [input, setInput] = useState(explained.value?.input ?? '{\n  "command": "ls"\n}');
  const [permission, setPermission] = useState(explained.value?.permission ?? '');
  const [tried, setTried] = useState<{ asked: object; explanation?: Explained; error: string } | undefined>();
  const read = readInput(input);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!explained.value) return;
    explained.value = undefined;
    form.current?.scrollIntoView({ block: 'start' });
    void send();
  }, []);
  const send = async () => {
    if ('error' in read) return;
    const answer = await callApi<Explained>('POST', '/api/hooks/explain', {
      tool,
      input: read.input,
      ...(permission !== '' && { permission }),
    });
    setTried({ asked: read.input, ...(answer.ok && { explanation: answer.body }), error: answer.error });
  };
  return (
    <section class="explain" aria-labelledby="try">
      <h2 id="try" class="section-title">
        Explain a call
      </h2>
      <p class="faint">A dry run: it runs no tool and shows no approval prompt.</p>
      <form
        class="edit"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="field-row">
          <label>
            Tool
            <input value={tool} required maxLength={200} onInput={(event) => setTool(event.currentTarget.value)} />
          </label>
          <label>
            Permission
            <select value={permission} onChange={(event) => setPermission(event.currentTarget.value)}>
              <option value="">permission of the tool</option>
              <option>read</option>
              <option>write</option>
              <option>external</option>
            </select>
          </label>
        </div>
        <label>
          Input (JSON)
          <textarea
            spellcheck={false}
            rows={5}
            value={input}
            aria-invalid={'error' in read}
            onInput={(event) => setInput(event.currentTarget.value)}
          />
        </label>
        {'error' in read && <Text in="p" class="notice error" of={read.error} />}
        <div class="answers">
          <button type="submit" class="primary" disabled={'error' in read}>
            Explain
          </button>
        </div>
      </form>
      {tried && <ErrorNotice of={tried.error} />}
      {tried?.explanation && <Explanation asked={tried.asked} explanation={tried.explanation} />}
    </section>
  );
}

function Explanation({ asked, explanation }: { readonly asked: object; readonly explanation: Explained }) {
  const { decision, toolCall, steps, notApplied } = explanation;
  const changes = jsonChanges(asked, toolCall.input, 'input');
  const tone = /deny|abort|fail/.test(decision.action) ? 'refused' : decision.action === 'ask' ? 'waiting' : 'good';
  return (
    <div class="told" role="status">
      <p class={`verdict verdict-${tone}`}>
        <Text in="strong" of={decision.action} />
        {decision.by !== undefined && (
          <>
            {' '}
            by <Text of={decision.by} />
          </>
        )}
        {decision.reason !== undefined && (
          <>
            : <Text of={decision.reason} />
          </>
        )}
      </p>
      {changes.length > 0 && (
        <>
          <h3>Resulting call</h3>
          {changes.map((change) => (
            <ChangeView key={change.path} of={change} />
          ))}
        </>
      )}
      <h3>Hooks in running order</h3>
      <Chain steps={steps} decidedBy={decision.by} />
      {notApplied.length > 0 && (
        <details>
          <summary>{notApplied.length} hooks that do not apply</summary>
          <ul class="notes">
            {notApplied.map(({ hook, why }) => (
              <li key={hook}>
                <Text in="strong" of={hook} /> <Text of={why} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
