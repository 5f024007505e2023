import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { eventsOf, folder, hookline, root } from '../hookline.ts';

const fixture = (name: string) => readFileSync(join(root, 'spec/fixtures/openai', `${name}.sse`), 'utf8');
const call = (name: string, args: object) =>
  [
    {
      delta: {
        tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
    },
    { delta: {}, finish_reason: 'tool_calls' },
  ]
    .map(
      (choice) =>
        `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`,
    )
    .join('');

describe('hookline run --model openai-compatible:<model>', () => {
  const requests: { url: string | undefined; key: string | undefined; body: Record<string, unknown> }[] = [];
  let answers: string[] = [];
  let server: Server;
  let baseUrl: string;

  before(async () => {
    server = createServer(async (request: IncomingMessage, response) => {
      const body = (await json(request)) as Record<string, unknown>;
      requests.push({ url: request.url, key: request.headers.authorization, body });
      const answer = answers.shift();
      if (answer === undefined) return response.writeHead(401).end('{"error":{"message":"bad key"}}');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(answer);
      return response.end('data: [DONE]\n\n');
    }).listen(0, '127.0.0.1');
    // The server never closes a connection, so a kept connection would keep the process alive forever.
    server.keepAliveTimeout = 0;
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('streams from the server, calls tools, and sends the key of HOOKLINE_API_KEY', async () => {
    answers = [call('read_file', { path: 'a.txt' }), fixture('text')];
    const workspace = folder({ 'a.txt': 'hello' });
    const args = [
      'run',
      'hi',
      '--model',
      'openai-compatible:test-model',
      '--base-url',
      baseUrl,
      '--workspace',
      workspace,
    ];
    const outcome = await hookline([...args, '--json'], { env: { HOOKLINE_API_KEY: 'k-123' } });
    expect(outcome.code, outcome.stderr).to.equal(0);
    const events = eventsOf(outcome);
    expect(events.find(({ type }) => type === 'postActing')).to.deep.include({
      result: { content: 'hello', isError: false },
    });
    const said = events.filter(({ type, iteration }) => type === 'reasoningChunk' && iteration === 2);
    expect(said.map((event) => event['delta'])).to.deep.equal(['Hel', 'lo, ', 'wörld', '.', '']);
    expect(events.at(-1)).to.deep.include({ outcome: 'completed' });
    expect(requests.map(({ url, key }) => [url, key])).to.deep.equal(
      Array(2).fill(['/v1/chat/completions', 'Bearer k-123']),
    );
    expect(requests[0]?.body).to.include({ model: 'test-model', stream: true });
    expect(outcome.stdout + outcome.stderr).to.not.include('k-123');
  });

  it('requests another model from the server if a hook selects one', async () => {
    answers = ['', fixture('text')];
    requests.length = 0;
    const config = join(
      folder({ 'hooks.yaml': 'hooks: { next: { type: model-fallback, options: { models: [small] } } }' }),
      'hooks.yaml',
    );
    const args = ['run', 'hi', '--model', 'openai-compatible:test-model', '--base-url', baseUrl, '--config', config];
    const { code, stderr } = await hookline([...args, '--json'], { env: { HOOKLINE_API_KEY: 'k-123' } });
    expect(code, stderr).to.equal(0);
    expect(requests.map(({ body }) => body['model'])).to.deep.equal(['test-model', 'small']);
  });

  it('fails with the error of the server', async () => {
    answers = [];
    const args = ['run', 'hi', '--model', 'openai-compatible:m', '--base-url', baseUrl];
    const { code, stdout } = await hookline(args);
    expect(code).to.equal(1);
    expect(stdout).to.match(/● failed: .*bad key/);
  });

  it('explains how to install a missing provider', async () => {
    const block = join(
      folder({
        'block.cjs': `const { Module } = require('node:module');
          const resolve = Module._resolveFilename;
          Module._resolveFilename = (request, ...rest) => {
            if (request.startsWith('@ai-sdk/')) throw new Error('Cannot find module');
            return resolve.call(Module, request, ...rest);
          };`,
      }),
      'block.cjs',
    );
    const args = ['run', 'hi', '--model', 'openai-compatible:m', '--base-url', baseUrl];
    const { code, stderr } = await hookline(args, { env: { NODE_OPTIONS: `--require ${block}` } });
    expect(code).to.equal(2);
    expect(stderr).to.match(/^error: .* Run: npm install @ai-sdk\/openai-compatible\n$/);
  });
});
