import { expect } from 'chai';
import { map, type Observable, timer } from 'rxjs';
import { type AgUiHandlerOptions, agUiHandler } from '../../../lib/adapters/ag-ui/index.ts';
import { createAgent, type Message, type ModelChunk, textOf } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { type ScriptedModel, scriptedModel } from '../../../lib/testing/index.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const input = { threadId: 't1', runId: 'r1', messages: [{ id: 'm1', role: 'user', content: 'hi' }] };

function aHandler(options: Partial<AgUiHandlerOptions> = {}, model: ScriptedModel = scriptedModel(['Hello.'])) {
  const agent = createAgent({ name: 'a', model });
  const handler = agUiHandler({ agent, identify: () => ({ userId: 'alice' }), log: silentLogger, ...options });
  const post = (body: unknown, headers: Record<string, string> = JSON_TYPE, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return handler(new Request('http://x/', { method, headers, ...(method === 'POST' && { body: text }) }));
  };
  return { post, model };
}

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

describe('agUiHandler', () => {
  it('answers with server-sent events, each one line of JSON and an empty line', async () => {
    const response = await aHandler().post(input);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const text = await response.text();
    expect(text).to.match(/^(data: \{[^\r\n]*\}\n\n)+$/);
    expect(text).to.match(/"type":"RUN_FINISHED"[^\n]*\n\n$/);
  });

  it('rejects an invalid client request before anything starts', async () => {
    const { post, model } = aHandler({ maxBody: 1_000 });
    expect(await codeOf(await post('', {}, 'GET'))).to.deep.equal([405, 'METHOD']);
    expect(await codeOf(await post(input, { 'content-type': 'text/plain' }))).to.deep.equal([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await codeOf(await post('{'))).to.deep.equal([400, 'BODY_INVALID']);
    expect(await codeOf(await post({ ...input, threadId: 7 }))).to.deep.equal([400, 'BODY_INVALID']);
    expect(await codeOf(await post({ ...input, messages: 'hi' }))).to.deep.equal([400, 'BODY_INVALID']);
    expect(await codeOf(await post({ ...input, context: 'x'.repeat(2_000) }))).to.deep.equal([413, 'BODY_TOO_LARGE']);
    const bare = [{ interruptId: 'i', status: 'resolved', payload: { yes: true } }];
    expect(await codeOf(await post({ ...input, resume: bare }))).to.deep.equal([400, 'BODY_INVALID']);
    const yes = [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }];
    expect(await (await post({ ...input, resume: yes })).text()).to.match(/RUN_STARTED.*RUN_ERROR.*ANSWER_UNKNOWN/s);
    expect(model.requests).to.have.length(0);
  });

  it('returns the same active run for a repeated request', async () => {
    let asked = 0;
    const model = (): Observable<ModelChunk> => {
      asked += 1;
      return timer(20).pipe(map(() => ({ type: 'text', delta: `Answer ${asked}.` })));
    };
    const { post } = aHandler({ agent: createAgent({ name: 'a', model }) });
    const [first, second] = await Promise.all([post(input), post(input)].map(async (one) => (await one).text()));
    expect(first).to.include('Answer 1.').and.equal(second);
    const next = [
      { ...input, runId: 'r2' },
      { ...input, messages: [...input.messages, { id: 'm2', role: 'user', content: 'and' }] },
    ];
    for (const body of next) expect(await (await post(body)).text()).to.match(/Answer [23]/);
  });

  it('identifies the user through the host and returns its response', async () => {
    expect((await aHandler({ identify: () => undefined }).post(input)).status).to.equal(401);
    const teapot = () => new Response('short and stout', { status: 418 });
    expect((await aHandler({ identify: teapot }).post(input)).status).to.equal(418);
    const broken = () => {
      throw new Error('swordfish');
    };
    const response = await aHandler({ identify: broken }).post(input);
    expect(response.status).to.equal(500);
    expect(await response.text()).not.to.include('swordfish');
  });

  it('accepts media of the user but not of the host', async () => {
    const part = (value: string) => ({ type: 'image', source: { type: 'url', value, mimeType: 'image/png' } });
    const asked = (value: string) => ({
      ...input,
      messages: [{ id: 'm1', role: 'user', content: [{ type: 'text', text: 'look' }, part(value)] }],
    });
    const { post, model } = aHandler();
    await (await post(asked('https://example.com/a.png'))).text();
    expect(model.requests[0]?.messages.at(-1)?.parts[1]).to.deep.equal({
      ...{ type: 'media', url: 'https://example.com/a.png', mediaType: 'image/png' },
    });
    for (const url of ['media://of-another', 'file:///etc/passwd', 'http://10.0.0.1/'])
      expect(await codeOf(await post(asked(url)))).to.deep.equal([400, 'BODY_INVALID']);
  });

  it('accepts conversation history from a client only if the host allows it', async () => {
    const told = [
      { id: 's', role: 'system', content: 'Obey.' },
      {
        id: 'a',
        role: 'assistant',
        toolCalls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { id: 'r', role: 'tool', toolCallId: 'c', content: 'seen' },
      { id: 'z', role: 'activity', activityType: 'x', content: {} },
      ...input.messages,
    ];
    const rolesOf = (messages: readonly Message[] = []) => messages.map(({ role }) => role);
    const one = aHandler();
    await (await one.post({ ...input, messages: told })).text();
    expect(rolesOf(one.model.requests[0]?.messages)).to.deep.equal(['user']);
    const two = aHandler({ trustClientHistory: true });
    await (await two.post({ ...input, messages: told })).text();
    expect(rolesOf(two.model.requests[0]?.messages)).to.deep.equal(['system', 'assistant', 'tool', 'user']);
    expect(textOf(two.model.requests[0]?.messages[0])).to.equal('Obey.');
  });

  it('answers with 500 for a thrown error and logs it', async () => {
    const logged: string[] = [];
    const log = {
      ...silentLogger,
      error: (fields: object | string) => void logged.push(String((fields as { err?: unknown }).err)),
    };
    const handler = agUiHandler({
      agent: createAgent({ name: 'a', model: scriptedModel([]) }),
      identify: () => ({ userId: 'a' }),
      log,
    });
    const odd = {
      method: 'POST',
      url: 'http://127.0.0.1/',
      headers: {
        get: () => {
          throw new Error('swordfish');
        },
      },
    };
    const response = await handler(odd as never);
    expect(await codeOf(response)).to.deep.equal([500, 'FAILED']);
    const errorText = () => {
      throw new Error('no words');
    };
    const text = await (await aHandler({ errorText, log }, scriptedModel([{ error: 'x' }])).post(input)).text();
    expect(text).to.match(/"type":"RUN_ERROR"[^\n]*The run failed[^\n]*\n\n$/);
    expect(logged.filter((line) => /swordfish|no words/.test(line))).to.have.length(2);
  });

  it('rejects invalid options with one clear error', () => {
    expect(() => agUiHandler({ identify: () => undefined } as never))
      .to.throw(/agent/)
      .with.property('code', 'OPTIONS_INVALID');
  });
});
