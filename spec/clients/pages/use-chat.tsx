import { lastAssistantMessageIsCompleteWithApprovalResponses as allAnswered, DefaultChatTransport } from 'page-ai';
import { useChat } from 'page-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Part } from '../ai-sdk-ui/expect-settled.ts';

const transport = new DefaultChatTransport({ api: '/api/chat', headers: { 'x-user': 'ann' } });

function Chat() {
  const chat = useChat({ id: 'thread', transport, resume: true, sendAutomaticallyWhen: allAnswered });
  const [text, setText] = useState('');
  return (
    <main data-status={chat.status}>
      {chat.messages.map(({ id, role, parts }) => (
        <article key={id} data-role={role}>
          {(parts as readonly Part[]).map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts only come behind others
            <PartView key={at} part={part} parts={parts as readonly Part[]} answer={chat.addToolApprovalResponse} />
          ))}
        </article>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text });
          setText('');
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

interface PartProps {
  readonly part: Part;
  readonly parts: readonly Part[];
  readonly answer: (answer: { id: string; approved: boolean }) => void;
}

function PartView({ part, parts, answer }: PartProps) {
  const { type, text, state, toolName, input, output, approval, providerMetadata } = part;
  if (type === 'text') {
    const id = providerMetadata?.hookline?.id ?? '';
    const gone = parts.some((one) => one.type === 'data-retracted' && (one.data as { ids: string[] }).ids.includes(id));
    return gone ? null : <p>{text}</p>;
  }
  if (type !== 'dynamic-tool') return null;
  return (
    <section data-tool={toolName} data-state={state}>
      <code>{JSON.stringify(input)}</code>
      {state === 'approval-requested' && approval && (
        <>
          <button type="button" onClick={() => answer({ id: approval.id, approved: true })}>
            Approve
          </button>
          <button type="button" onClick={() => answer({ id: approval.id, approved: false })}>
            Deny
          </button>
        </>
      )}
      {state === 'output-available' && <output>{String(output)}</output>}
    </section>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Chat />);
