import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createMcpProxy } from '../../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook, type HookDefinition, verdict } from '../../../../lib/index.ts';
import { silentLogger } from '../../../../lib/pipeline/logger.ts';
import { recorder } from '../../../../lib/testing/index.ts';
import { handMade, type Message, reply, said, sse } from './over-http.ts';

const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('an MCP proxy from stdio to HTTP', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const from = async (...of: Parameters<typeof handMade>) => {
    const server = await handMade(...of);
    closing.push(server.close);
    return server;
  };
  const client = (url: string, hooks: readonly HookDefinition[] = []) => {
    const recorded = recorder();
    const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], { log: silentLogger });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const over = createMcpProxy({ pipeline, log: silentLogger }).stdio({ url }, { input, output });
    const told: Message[] = [];
    createInterface({ input: output }).on('line', (line) => told.push(JSON.parse(line)));
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answer = async (id: number): Promise<Message> => {
      await until(() => told.some((message) => message.id === id));
      return told.find((message) => message.id === id);
    };
    return { input, over, told, send, answer, recorded };
  };
  const initialize = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
  const call = (id: number, text = 'x') => ({
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  });

  it('starts a new session when the client does', async () => {
    let lost = '';
    const server = await from(undefined, (message, response, { headers }) => {
      if (message?.method === 'initialize' || headers['mcp-session-id'] !== lost) return false;
      response.writeHead(404).end();
      return true;
    });
    const one = client(server.url);
    one.send(initialize);
    await one.answer(1);
    lost = 'upstream-1';
    one.send(call(2));
    expect((await one.answer(2)).error ?? (await one.answer(2)).result.isError).to.be.ok;
    one.send({ ...initialize, id: 3 });
    await one.answer(3);
    one.send(call(4));
    expect((await one.answer(4)).result).to.deep.equal(said('done'));
    expect(server.of('initialize').map(({ headers }) => headers['mcp-session-id'])).to.deep.equal([
      undefined,
      undefined,
    ]);
    one.input.end();
    await one.over;
  });

  it('answers all earlier requests in order when the client leaves, and ends the server session', async () => {
    const server = await from();
    const one = client(server.url, [
      {
        name: 'no',
        approve: ({ toolCall }) => (toolCall.input['text'] === 'no' ? verdict.deny('no') : verdict.allow()),
      },
    ]);
    for (const message of [initialize, { method: 'notifications/initialized' }, call(2), call(3, 'no')])
      one.send(message);
    one.input.end();
    expect(await one.over).to.equal(undefined);
    expect((await one.answer(2)).result).to.deep.equal(said('done'));
    expect((await one.answer(3)).result.isError).to.equal(true);
    expect(one.recorded.of('postCall')).to.have.length(1);
    const [first, ...later] = server.got;
    expect(first?.headers['mcp-session-id']).to.equal(undefined);
    expect(new Set(later.map(({ headers }) => headers['mcp-session-id'])).size).to.equal(1);
    expect(new Set(later.map(({ headers }) => headers['mcp-protocol-version']))).to.deep.equal(new Set(['2025-11-25']));
    expect(server.got.filter(({ method }) => method === 'DELETE')).to.have.length(1);
  });

  it('receives server messages, reconnects after a cut, and answers server requests', async () => {
    let times = 0;
    const server = await from(undefined, (_, response, { method, headers }) => {
      if (method !== 'GET') return false;
      times += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const question = { id: 's1', method: 'ping' };
      if (times === 1) response.end(`retry: 1\n${sse({ method: 'notifications/x', params: { n: 1 } }, 'n1')}`);
      else response.write(sse({ ...question, params: { after: headers['last-event-id'] } }));
      return true;
    });
    const one = client(server.url);
    one.send(initialize);
    one.send({ method: 'notifications/initialized' });
    await until(() => one.told.some(({ id }) => id === 's1'));
    one.send({ id: 's1', result: {} });
    await until(() => server.got.some(({ message }) => message?.id === 's1'));
    expect(one.told.slice(1).map(({ method, params }) => [method, params])).to.deep.equal([
      ['notifications/x', { n: 1 }],
      ['ping', { after: 'n1' }],
    ]);
    one.input.end();
    await one.over;
  });

  it('reports a server that rejects, redirects or is unreachable', async () => {
    const statuses = [401, 307, 500];
    const server = await from(undefined, (message, response) => {
      if (message?.method !== 'ping') return false;
      response.writeHead(statuses.shift() ?? 200, { location: 'https://else.example/mcp' }).end();
      return true;
    });
    const one = client(server.url);
    one.send(initialize);
    for (const id of [2, 3, 4]) {
      one.send({ id, method: 'ping' });
      await one.answer(id);
    }
    const messages = one.told.slice(1).map(({ error }) => error.message);
    expect(messages[0]).to.contain('Authorization');
    expect(messages[1]).to.contain('https://else.example/mcp');
    expect(messages[2]).to.contain('HTTP 500');
    await server.close();
    one.send({ id: 5, method: 'ping' });
    expect((await one.answer(5)).error.message).to.contain('is unreachable');
    one.input.end();
    await one.over;
  });

  it('accepts a JSON answer with several lines', async () => {
    const server = await from((message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: said('a\nb') }, null, 2));
    });
    const one = client(server.url);
    one.send(initialize);
    one.send(call(2));
    expect((await one.answer(2)).result).to.deep.equal(said('a\nb'));
    one.input.end();
    await one.over;
  });

  it('prevents a server from answering another request', async () => {
    const server = await from((message, response) => reply(response, { id: `${message.id}!` }, said('forged')));
    const one = client(server.url);
    one.send(initialize);
    one.send(call(2));
    const { result, error } = await one.answer(2);
    expect(JSON.stringify(result ?? error)).to.contain('another request');
    one.input.end();
    await one.over;
  });
});
