// An agent behind useChat of the AI SDK, on node:http alone.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgent } from 'hookline';
import { uiMessageStreamHandler } from 'hookline/ai-sdk-ui';
import { scriptedModel } from 'hookline/testing';
import { onNode } from './on-node.ts';

const agent = createAgent({ name: 'greeter', model: scriptedModel(['Hello over HTTP.']) });
const handler = uiMessageStreamHandler({ agent, identify: () => ({ userId: 'ada' }) });

const server = createServer(onNode(handler));

async function main(): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const question = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Say hello.' }] };
  const response = await fetch(`http://127.0.0.1:${port}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'chat-1', messages: [question] }),
  });
  for (const [, json] of (await response.text()).matchAll(/^data: (\{.*)$/gm)) {
    const { type, delta } = JSON.parse(json as string);
    console.log(delta === undefined ? type : `${type}: ${delta}`);
  }
  server.close();
}

void main();
