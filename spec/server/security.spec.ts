import { once } from 'node:events';
import { expect } from 'chai';
import { createTokens, listen } from 'hookline/server';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { aWire, raw, received, type Wire } from './wire.ts';

const GET = 'GET /api/hooks/config';
const POST = 'POST /api/hooks/config';

describe('the server on a raw socket', () => {
  let wire: Wire;
  let host: string;
  let bearer: string;
  let ours: Record<string, string>;
  afterEach(() => wire?.close());

  async function serve(...options: Parameters<typeof aWire>): Promise<void> {
    wire = await aWire(...options);
    host = `127.0.0.1:${wire.listening.port}`;
    bearer = `Bearer ${await wire.token()}`;
    ours = { Host: host, Authorization: bearer };
  }

  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  const get = async (headers: Record<string, string>, line = GET) => statusOf(await wire.send(raw(line, headers)));
  const post = async (headers: Record<string, string>, body = '{"hooks":{}}') =>
    statusOf(
      await wire.send(
        raw(
          POST,
          { ...ours, 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers },
          body,
        ),
      ),
    );

  it('answers requests that follow all rules', async () => {
    await serve();
    expect(await get(ours)).to.equal(200);
    expect(await get({ ...ours, Host: `localhost:${wire.listening.port}` })).to.equal(200);
    expect(await post({})).to.equal(200);
  });

  it('answers to its own names only, including the port', async () => {
    await serve();
    const { port } = wire.listening;
    for (const foreign of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost:1',
      `127.1:${port}`,
      `127.0.0.1.:${port}`,
    ]) {
      expect(await get({ ...ours, Host: foreign }), foreign).to.equal(421);
    }
    expect(await get(ours, 'GET http://evil.example/api/hooks/config'), 'in the target').to.equal(421);
    expect(await get(ours, `GET http://${host}@evil.example/api/hooks/config`), 'behind ours').to.equal(421);
    expect(await get({ Authorization: bearer }), 'none').to.equal(400);
    expect(await get({ ...ours, host: 'evil.example' }), 'two').to.be.oneOf([400, 421]);
    expect(await get({ Host: 'a b', Authorization: bearer }), 'none that could be').to.be.oneOf([400, 421]);
    const before = await wire.send(raw(GET, { Host: 'evil.example' }));
    expect(statusOf(before), 'before the token is looked at').to.equal(421);
  });

  it('answers to the additional configured names', async () => {
    await serve({ allowedHosts: ['hooks.example'] });
    expect(await get({ ...ours, Host: 'hooks.example' })).to.equal(200);
    expect(await get({ ...ours, Host: 'hooks.example:81' })).to.equal(421);
  });

  it('rejects requests from pages of another origin', async () => {
    await serve();
    expect(await get({ ...ours, Origin: `http://${host}` })).to.equal(200);
    const { port } = wire.listening;
    for (const foreign of [
      'null',
      'http://evil.example',
      `http://localhost:${port}`,
      'http://127.0.0.1',
      `http://${host}.evil.example`,
      `http://${host}/`,
    ]) {
      expect(await get({ ...ours, Origin: foreign }), foreign).to.equal(403);
      expect(await post({ Origin: foreign }), foreign).to.equal(403);
    }
  });

  it('rejects requests that a browser marks as cross-site', async () => {
    await serve();
    for (const site of ['same-origin', 'none']) expect(await get({ ...ours, 'Sec-Fetch-Site': site })).to.equal(200);
    for (const site of ['cross-site', 'same-site', 'else', '']) {
      expect(await get({ ...ours, 'Sec-Fetch-Site': site }), site).to.equal(403);
    }
  });

  it('allows no other origin: it sends no CORS headers and answers no preflight', async () => {
    await serve();
    const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };
    for (const origin of [`http://${host}`, 'http://evil.example']) {
      const asked = await wire.send(raw('OPTIONS /api/hooks/config', { Host: host, Origin: origin, ...preflight }));
      expect(statusOf(asked)).to.be.oneOf([401, 403]);
      const answer = await wire.send(raw(GET, { ...ours, Origin: origin }));
      for (const text of [asked, answer]) expect(text.toLowerCase()).not.to.include('access-control-');
    }
  });

  it('accepts only JSON bodies in UTF-8', async () => {
    await serve();
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset="UTF-8"'])
      expect(await post({ 'Content-Type': type }), type).to.equal(200);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json-patch+json',
      'application/json; charset=utf-16',
      '',
    ])
      expect(await post({ 'Content-Type': type }), type).to.equal(415);
    expect(await post({ 'Content-Encoding': 'gzip' }), 'gzip').to.equal(415);
    const body = '{"hooks":{}}';
    const untyped = raw(POST, { ...ours, 'Content-Length': String(body.length) }, body);
    expect(statusOf(await wire.send(untyped)), 'without a type').to.equal(415);
    expect(statusOf(await wire.send(raw(POST, { ...ours, 'Content-Length': '0' }))), 'without a body').to.equal(415);
  });

  it('reports the error of a body that is not JSON or has another shape', async () => {
    await serve();
    for (const body of [
      '',
      '{',
      '[]',
      '"x"',
      'null',
      '{"hooks":7}',
      '{"hooks":{},"hooks":{}}',
      '{"__proto__":{}}',
      '{"hooks":{},}',
      '{"hooks":{}} // or so',
      '['.repeat(20_000),
    ])
      expect(await post({}, body), body.slice(0, 20)).to.equal(422);
    const bytes = raw(POST, { ...ours, 'Content-Type': 'application/json', 'Content-Length': '14' });
    const socket = await wire.open();
    const answer = received(socket);
    socket.write(bytes);
    socket.write(Buffer.from('{"hooks":{}}  ').fill(0xff, 12));
    expect(statusOf(await answer), 'not UTF-8').to.equal(422);
  });

  it('accepts bodies of 64 KiB, and not one byte more', async () => {
    await serve();
    const body = (length: number) => `{"hooks":{}${' '.repeat(length - 12)}}`;
    expect(await post({}, body(65_536))).to.equal(200);
    expect(await post({}, body(65_537))).to.equal(413);
    const waiting = { ...ours, 'Content-Type': 'application/json', 'Content-Length': '1000000000' };
    expect(statusOf(await wire.send(raw(POST, waiting))), 'before any of it came').to.equal(413);
  });

  it('rejects a chunked body that is too large before its end', async () => {
    await serve();
    const chunked = { ...ours, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const fits = [raw(POST, chunked), ...Array(3).fill(chunk), 'c\r\n{"hooks":{}}\r\n', '0\r\n\r\n'];
    expect(statusOf(await wire.send(...fits))).to.equal(200);
    const answer = await wire.send(raw(POST, chunked), ...Array(5).fill(chunk));
    expect(statusOf(answer), 'without an end').to.equal(413);
    expect(answer.toLowerCase()).to.include('connection: close');
  });

  it('rejects a request that could be read as two', async () => {
    await serve();
    const both = { ...ours, 'Content-Type': 'application/json', 'Content-Length': '5', 'Transfer-Encoding': 'chunked' };
    expect(statusOf(await wire.send(raw(POST, both, '0\r\n\r\nGET / HTTP/1.1\r\n\r\n')))).to.equal(400);
    const two = `${POST} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`;
    expect(statusOf(await wire.send(two))).to.equal(400);
  });

  it('rejects requests without a valid token, and describes how to send one', async () => {
    await serve();
    const token = bearer.slice(7);
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
      token,
    ]) {
      const answer = await wire.send(raw(GET, { Host: host, ...(wrong !== undefined && { Authorization: wrong }) }));
      expect(statusOf(answer), wrong).to.equal(401);
      expect(answer).to.match(/^www-authenticate: Bearer realm="hookline"/im);
    }
    expect(await get({ Host: host }, `GET /api/hooks/config?token=${token}`), 'in the query').to.equal(401);
    expect(await get({ Host: host }, 'GET /nothing/here'), 'what there is, is nobody’s business').to.equal(401);
    const twice = raw(GET, ours).replace('\r\n\r\n', `\r\nAuthorization: ${bearer}\r\n\r\n`);
    expect(statusOf(await wire.send(twice)), 'two').to.equal(401);
  });

  it('returns 429 after too many failures, and still accepts valid tokens', async () => {
    let now = 1_000_000;
    await serve({}, {}, { loginLimits: { perAddress: 3, windowMs: 30_000, now: () => now } });
    const used = ours;
    expect(await get(used)).to.equal(200);
    const fresh = { Host: host, Authorization: `Bearer ${await wire.token('bob')}` };
    const wrong = { Host: host, Authorization: 'Bearer hlk_no' };
    for (let nth = 0; nth < 3; nth++) expect(await get(wrong)).to.equal(401);
    now += 10_000;
    const refused = await wire.send(raw(GET, wrong));
    expect(statusOf(refused)).to.equal(429);
    expect(refused).to.match(/^retry-after: 20$/im);
    expect(await get(fresh), 'a right one that was never seen').to.equal(200);
    expect(await get(used), 'one that was right before').to.equal(200);
    now += 20_000;
    expect(await get(fresh)).to.equal(200);
    expect(await get(wrong)).to.equal(401);
  });

  it('sends headers that forbid display, loading, caching and referrers', async () => {
    await serve();
    const headers = { ...ours, 'Content-Type': 'application/json' };
    const answers = [
      [200, raw(GET, ours)],
      [401, raw(GET, { Host: host })],
      [404, raw('GET /nothing', ours)],
      [405, raw('DELETE /api/hooks/config', ours)],
      [413, raw(POST, { ...headers, 'Content-Length': '99999' })],
      [421, raw(GET, { Host: 'evil.example' })],
      [422, raw(POST, { ...headers, 'Content-Length': '1' }, '{')],
      [400, raw('GET //\\x', ours)],
    ] as const;
    for (const [status, request] of answers) {
      const answer = await wire.send(request);
      expect(statusOf(answer)).to.equal(status);
      expect(answer).to.match(/^content-security-policy: default-src 'none'; frame-ancestors 'none'/im);
      expect(answer).to.match(/^x-content-type-options: nosniff\r$/im);
      expect(answer).to.match(/^x-frame-options: DENY\r$/im);
      expect(answer).to.match(/^referrer-policy: no-referrer\r$/im);
      expect(answer).to.match(/^cross-origin-resource-policy: same-origin\r$/im);
      expect(answer).to.match(
        status === 200 ? /^cache-control: private, no-cache\r$/im : /^cache-control: no-store\r$/im,
      );
      expect(answer).not.to.match(/^(server|x-powered-by):/im);
    }
  });

  for (const which of ['connections', 'connectionsPerAddress'] as const)
    it(`limits the number of connections (${which})`, async () => {
      await serve({ [which]: 3 });
      const open = [await wire.open(), await wire.open(), await wire.open()];
      expect(await wire.send(raw(GET, ours)).catch(() => ''), 'one more').to.equal('');
      open[0]?.destroy();
      await once(open[0]!, 'close');
      let status = Number.NaN;
      for (let tries = 0; tries < 200 && Number.isNaN(status); tries++)
        status = await get(ours).catch(() => Number.NaN);
      expect(status, 'room again').to.equal(200);
      for (const socket of open) socket.destroy();
    });

  it('limits the wait for a head, for a body and for the next request', async () => {
    await serve({ headersMs: 100, requestMs: 200, keepAliveMs: 100 });
    const head = await wire.open();
    const body = await wire.open();
    const next = await wire.open();
    const silent = await wire.open();
    head.write(`${GET} HTTP/1.1\r\nHost: ${host}\r\n`);
    body.write(raw(POST, { ...ours, 'Content-Type': 'application/json', 'Content-Length': '50' }, '{'));
    next.write(raw(GET, ours));
    const ended = await Promise.all([head, body, silent].map(received));
    expect(ended.map((text) => text.slice(0, 12))).to.deep.equal(['HTTP/1.1 408', 'HTTP/1.1 408', 'HTTP/1.1 408']);
    next.resume();
    if (!next.closed) await once(next, 'close');
  });
});

describe('the listening address', () => {
  const refusal = (options: object, tokens: { list(): Promise<readonly object[]> }) =>
    listen({} as never, tokens as never, options).then(
      () => undefined,
      (error: Error) => error,
    );
  const none = { list: async () => [] };

  it('is rejected if public without a token and allowed hosts, and the error names each', async () => {
    const tokens = createTokens(memoryStore());
    for (const host of ['0.0.0.0', '::']) {
      const neither = await refusal({ host }, none);
      expect(neither).to.include({ name: 'HooklineError', code: 'OPTIONS_INVALID' });
      expect(neither?.message).to.include(JSON.stringify(host)).and.include('a token').and.include('allowed hosts');
      expect((await refusal({ host, allowedHosts: ['a.example'] }, tokens))?.message).to.include('without a token');
    }
    await tokens.issue({ user: 'alice', rights: [] });
    expect((await refusal({ host: '0.0.0.0' }, tokens))?.message).to.include('without allowed hosts');
  });

  it('is accepted with both, and then answers to the allowed hosts only', async () => {
    const wire = await aWire();
    await wire.token();
    const open = await listen(wire.server, wire.tokens, { host: '0.0.0.0', allowedHosts: ['a.example'] });
    expect(open.host).to.equal('0.0.0.0');
    const ask = async (host: string) => (await fetch(`http://127.0.0.1:${open.port}/`, { headers: { host } })).status;
    expect(await ask(`127.0.0.1:${open.port}`)).to.equal(421);
    await open.close(0);
    await wire.close();
  });

  it('is named in the error if it is unavailable', async () => {
    const wire = await aWire();
    const taken = await refusal({ port: wire.listening.port }, none);
    expect(taken).to.include({ code: 'INPUT_INVALID' });
    expect(taken?.message).to.include(`127.0.0.1:${wire.listening.port}`).and.include('EADDRINUSE');
    await wire.close();
  });
});
