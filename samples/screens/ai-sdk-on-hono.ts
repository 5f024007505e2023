// An agent behind useChat of the AI SDK, on Hono. What the page would post and show is done here with fetch.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createAgent, createPipeline } from 'hookline';
import { uiMessageStreamHandler } from 'hookline/ai-sdk-ui';
import { dangerousConfirmation } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';

const agent = createAgent({
  name: 'guide',
  model: scriptedModel([{ toolCalls: [{ name: 'delete_file', input: { path: 'build' } }] }, 'It is gone.']),
  tools: [scriptedTool({ name: 'delete_file', result: 'deleted' })],
  pipeline: createPipeline([dangerousConfirmation({ askBy: 'suspend' })]),
});

const users: Record<string, string> = { 'the-cookie-of-ada': 'ada' };
const userOf = (request: Request) => users[request.headers.get('cookie') ?? ''];

const handler = uiMessageStreamHandler({
  agent,
  identify(request) {
    const userId = userOf(request);
    return userId === undefined ? undefined : { userId };
  },
});

const app = new Hono();
app.all('/api/chat/*', (c) => handler(c.req.raw));
app.all('/api/chat', (c) => handler(c.req.raw));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, async ({ port }) => {
  const post = async (messages: readonly object[]) => {
    const headers = { 'content-type': 'application/json', cookie: 'the-cookie-of-ada' };
    const body = JSON.stringify({ id: 'chat-1', trigger: 'submit-message', messages });
    const response = await fetch(`http://127.0.0.1:${port}/api/chat`, { method: 'POST', headers, body });
    const frames = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)];
    return frames.map(([, json]) => JSON.parse(json as string));
  };
  const question = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Clean up.' }] };
  const asked = await post([question]);
  console.log(asked.map(({ type }) => type).join(' '));
  const { toolCallId, approvalId } = asked.find(({ type }) => type === 'tool-approval-request');
  const call = { type: 'dynamic-tool', toolName: 'delete_file', toolCallId, input: { path: 'build' } };
  const answered = { ...call, state: 'approval-responded', approval: { id: approvalId, approved: true } };
  const chunks = await post([question, { id: 'm2', role: 'assistant', parts: [answered] }]);
  console.log(chunks.map(({ delta = '' }) => delta).join(''));
  server.close();
});
