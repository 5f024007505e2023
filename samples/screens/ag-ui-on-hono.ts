// An agent behind clients of AG-UI, on Hono.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createAgent } from 'hookline';
import { agUiHandler } from 'hookline/ag-ui';
import { scriptedModel } from 'hookline/testing';

const agent = createAgent({ name: 'greeter', model: scriptedModel(['Hello over HTTP.']) });

const users: Record<string, string> = { 'Bearer the-token-of-ada': 'ada' };

const handler = agUiHandler({
  agent,
  identify(request) {
    const userId = users[request.headers.get('authorization') ?? ''];
    return userId === undefined ? undefined : { userId };
  },
});

const app = new Hono();
app.post('/agent/*', (c) => handler(c.req.raw));
app.post('/agent', (c) => handler(c.req.raw));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, async ({ port }) => {
  const post = (authorization: string) =>
    fetch(`http://127.0.0.1:${port}/agent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({
        ...{ threadId: 'thread-1', runId: 'run-1' },
        messages: [{ id: 'm1', role: 'user', content: 'Say hello.' }],
      }),
    });
  console.log((await post('Bearer of nothing')).status);
  const text = await (await post('Bearer the-token-of-ada')).text();
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  console.log(events.map(({ type }) => type).join(' '));
  server.close();
});
