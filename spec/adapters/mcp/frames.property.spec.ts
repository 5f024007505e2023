import { expect } from 'chai';
import fc from 'fast-check';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { handMade, listening, reply, statusOf } from './http/over-http.ts';
import { proxied } from './proxied.ts';

const redacting: HookDefinition = {
  name: 'redacting',
  redact: (text) => text.replaceAll('secret', '***'),
  on: { postActing: (event) => modify(event, { result: { ...event.result, content: `${event.result.content}.` } }) },
};
/** Says on its pipe whatever it is asked to say, as it is; else answers. */
const PARROT = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const frame = params?.arguments?.frame;
  if (method === 'tools/call' && params?.name === 'say' && typeof frame === 'string')
    return void process.stdout.write(frame.replaceAll('"$ID"', JSON.stringify(id)) + '\\n');
  const result = method === 'tools/list' ? { tools: [] } : { content: [{ type: 'text', text: 'fine' }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

/** Milliseconds: far longer than an answer takes on a busy machine, so that a missing one names its frame. */
const LONGEST_ANSWER = 30_000;
const deep = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels);
const levels = fc.constantFrom(2, 500, 511, 513, 2_500, 5_000, 50_000);
const odd = fc.oneof(
  fc.json({ maxDepth: 3 }),
  levels.map((count) => deep(count)),
  levels.map((count) => deep(count, '{"a":', '}').replace(':}', ':0}')),
  fc.constantFrom('1e400', '-0', '9007199254740993', '{"toString":1}', '{"__proto__":{"x":1}}', '"\\ud800"', 'null'),
);
const ids = fc.constantFrom('"a"', '"b"', '1.5', '-7');
const id = fc.oneof(ids, odd);
const method = fc.constantFrom(
  ...['tools/call', 'TOOLS/CALL', 'tools/call ', 'tools/list', 'initialize', 'ping', 'tasks/get', 'x'],
  ...['notifications/cancelled', 'notifications/progress', '__proto__'],
);
const params = fc.oneof(
  odd,
  fc
    .tuple(fc.constantFrom('echo', 'say', ''), odd, odd)
    .map(([name, given, meta]) => `{"name":"${name}","arguments":${given},"_meta":${meta}}`),
  odd.map((requestId) => `{"requestId":${requestId},"reason":${requestId},"progressToken":${requestId}}`),
);
const frames = fc.oneof(
  fc.string(),
  odd,
  ...[id, ids].map((of) =>
    fc.tuple(of, method, params).map(([i, m, p]) => `{"jsonrpc":"2.0","id":${i},"method":"${m}","params":${p}}`),
  ),
  fc.tuple(method, params).map(([m, p]) => `{"jsonrpc":"2.0","method":"${m}","params":${p}}`),
  fc.tuple(id, odd).map(([i, result]) => `{"jsonrpc":"2.0","id":${i},"result":${result}}`),
  fc.tuple(id, odd).map(([i, error]) => `[{"jsonrpc":"2.0","id":${i},"error":${error}}]`),
);
const RUNS = process.env['HOOKLINE_SOAK'] ? 1_000 : 80;
/** What a server may say of a call: results of any shape for it, and anything else. */
const said = fc.oneof(
  fc
    .tuple(odd, odd, odd)
    .map(
      ([content, structured, meta]) =>
        `{"jsonrpc":"2.0","id":"$ID","result":{"content":${content},"structuredContent":${structured},"_meta":${meta}}}`,
    ),
  odd.map((result) => `{"jsonrpc":"2.0","id":"$ID","result":${result}}`),
  odd.map((error) => `{"jsonrpc":"2.0","id":"$ID","error":${error}}`),
  odd.map((data) => `{"jsonrpc":"2.0","id":"$ID","error":{"code":-32042,"message":"secret","data":${data}}}`),
  odd.map((tools) => `{"jsonrpc":"2.0","id":"$ID","result":{"tools":${tools}}}`),
  frames,
);

describe('frames of any shape', () => {
  const over: (() => Promise<unknown>)[] = [];
  const rejections: unknown[] = [];
  const note = (thrown: unknown) => void rejections.push(thrown);
  before(() => void process.on('unhandledRejection', note));
  after(() => void process.off('unhandledRejection', note));
  afterEach(async () => {
    for (const close of over.splice(0).reverse()) await close();
    expect(rejections.splice(0)).to.deep.equal([]);
  });

  const parrot = async () => {
    const one = proxied({ hooks: [redacting], command: [process.execPath, '-e', PARROT] });
    over.push(one.close);
    await one.start();
    let calls = 0;
    /** Another call of the same session, by an id that no frame has. */
    const another = async () =>
      (await one.ask('tools/call', { name: 'echo' }, `another-${++calls}`)).result.content[0].text;
    return { ...one, another };
  };

  it('of a client on a pipe affect no other frames, and all requests are answered', async () => {
    const one = await parrot();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        const before = one.lines.length;
        one.write(frame.replace(/[\r\n]/g, ' '));
        expect(await one.another()).to.equal('fine.');
        const own = whoAsks(frame);
        if (own === undefined) return;
        asked += 1;
        const answers = () => one.lines.slice(before).filter((line) => JSON.stringify(JSON.parse(line).id) === own);
        const until = Date.now() + LONGEST_ANSWER;
        while (answers().length === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
        expect(answers()).to.have.length(1);
      }),
      { numRuns: 2 * RUNS },
    );
    expect(asked).to.be.above(0.15 * RUNS);
  });

  it('of a server on a pipe affect only the call that they answer', async () => {
    const one = await parrot();
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(said, async (frame) => {
        const call = one.ask('tools/call', { name: 'say', arguments: { frame: frame.replace(/[\r\n]/g, ' ') } });
        expect(await one.another()).to.equal('fine.');
        if (!frame.includes('"$ID"')) return;
        answered += 1;
        const { result, error } = await call;
        expect(result === undefined).to.equal(error !== undefined);
      }),
      { numRuns: 2 * RUNS },
    );
    expect(answered).to.be.above(0.66 * RUNS);
  });

  it('of a client over HTTP are answered each, and no other client notices', async () => {
    const server = await handMade((message, response) => reply(response, message, { content: [] }));
    over.push(server.close);
    const { proxy, client } = await listening(server.url, { hooks: [redacting] });
    over.push(proxy.close);
    const [bystander, hostile] = [client(), client()];
    await Promise.all([bystander.start(), hostile.start()]);
    const fields = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        statuses.add(await statusOf(proxy.url, 'POST', { ...fields, ...hostile.session }, frame));
        expect((await bystander.call('echo')).status).to.equal(200);
      }),
      { numRuns: RUNS },
    );
    expect([...statuses].sort()).to.include.members([200, 202, 400]);
    expect(statuses.has(500)).to.equal(false);
  });

  it('of a server over HTTP are answered each, and no other client notices', async () => {
    let frame = '';
    const server = await handMade((message, response) => {
      if (message.params.name !== 'say') return reply(response, message, { content: [] });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(frame.replaceAll('"$ID"', JSON.stringify(message.id)));
    });
    over.push(server.close);
    const { proxy, client } = await listening(server.url, { hooks: [redacting] });
    over.push(proxy.close);
    const [bystander, unlucky] = [client(), client()];
    await Promise.all([bystander.start(), unlucky.start()]);
    await fc.assert(
      fc.asyncProperty(said, async (given) => {
        frame = given;
        expect((await unlucky.call('say')).status).to.equal(200);
        expect((await bystander.call('echo')).status).to.equal(200);
      }),
      { numRuns: RUNS },
    );
  });
});

/** The id of a frame that asks for something and can be read, as JSON. */
function whoAsks(frame: string): string | undefined {
  try {
    const { id, method } = JSON.parse(frame);
    const named =
      typeof id === 'string' || (Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id)));
    return named && typeof method === 'string' ? JSON.stringify(id) : undefined;
  } catch {
    return undefined;
  }
}
