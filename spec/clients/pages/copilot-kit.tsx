import { HttpAgent } from '@ag-ui/client';
import { CopilotKitContext, CopilotKitCoreReact, useCopilotKit } from '@copilotkit/react-core/v2/context';
import { useAgent, useInterrupt } from '@copilotkit/react-core/v2/headless';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const agent = new HttpAgent({ url: '/api/chat', threadId: 'thread', headers: { 'x-user': 'ann' } });
// Their types use an earlier version of AG-UI.
const agents = { guide: agent } as never;
const copilotkit = new CopilotKitCoreReact({ agents__unsafe_dev_only: agents });
copilotkit.addTool({
  name: 'paint',
  description: 'Paints.',
  handler: async ({ colour }) => {
    document.body.dataset['painted'] = `${document.body.dataset['painted'] ?? ''}${colour};`;
    return 'painted';
  },
});
const executingToolCallIds = new Set<string>();

function Chat() {
  const { agent } = useAgent({ agentId: 'guide' });
  const { copilotkit } = useCopilotKit();
  const [text, setText] = useState('');
  const question = useInterrupt({
    agentId: 'guide',
    renderInChat: false,
    render: ({ interrupt, resolve }) => (
      <section data-interrupt={interrupt?.reason}>
        <p>{interrupt?.message}</p>
        <button type="button" onClick={() => void resolve({ approved: true })}>
          Approve
        </button>
        <button type="button" onClick={() => void resolve({ approved: false })}>
          Deny
        </button>
      </section>
    ),
  });
  return (
    <main data-running={agent.isRunning}>
      {agent.messages.map(({ id, role, content }) => (
        <article key={id} data-role={role}>
          {typeof content === 'string' ? content : ''}
        </article>
      ))}
      {question}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
          void copilotkit.runAgent({ agent });
          setText('');
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <CopilotKitContext.Provider value={{ copilotkit, executingToolCallIds }}>
    <Chat />
  </CopilotKitContext.Provider>,
);
