// An agent behind clients of AG-UI, on node:http alone. A call waits, and is approved by the next request.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgent, createPipeline } from 'hookline';
import { agUiHandler } from 'hookline/ag-ui';
import { dangerousConfirmation } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { onNode } from './on-node.ts';

const agent = createAgent({
  name: 'guide',
  model: scriptedModel([{ toolCalls: [{ name: 'delete_file', input: { path: 'build' } }] }, 'It is gone.']),
  tools: [scriptedTool({ name: 'delete_file', result: 'deleted' })],
  pipeline: createPipeline([dangerousConfirmation({ askBy: 'suspend' })]),
});
const server = createServer(onNode(agUiHandler({ agent, identify: () => ({ userId: 'ada' }) })));

async function main(): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (runId: string, more: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ threadId: 'thread-1', runId, ...more }),
    });
    return [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  };

  const messages = [{ id: 'm1', role: 'user', content: 'Clean up.' }];
  const asked = await post('run-1', { messages });
  const [interrupt] = asked.at(-1).outcome.interrupts;
  console.log(interrupt.message.split('\n').at(-1));
  const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }];
  const told = await post('run-2', { messages, resume });
  for (const { content, delta } of told) if (content ?? delta) console.log(content ?? delta);
  server.close();
}

void main();
