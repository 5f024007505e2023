import { expect } from 'chai';
import { createMcpProxy } from '../../../../lib/adapters/mcp/index.ts';
import { createPipeline, type HookDefinition, modify, verdict } from '../../../../lib/index.ts';
import { answerOf, BOTH, handMade, listening, reply, said, sse, statusOf } from './over-http.ts';

const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const PREFIX = 'io.modelcontextprotocol/';
const modern = {
  [`${PREFIX}protocolVersion`]: '2026-07-28',
  [`${PREFIX}clientCapabilities`]: {},
};
const MODERN = { 'mcp-protocol-version': '2026-07-28' };

describe('an MCP proxy over HTTP', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const from = async (...of: Parameters<typeof handMade>) => {
    const server = await handMade(...of);
    closing.push(server.close);
    return server;
  };
  const proxied = async (...of: Parameters<typeof listening>) => {
    const one = await listening(...of);
    closing.push(one.proxy.close);
    return one;
  };
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('rejects cross-site requests and invalid messages', async () => {
    const server = await from();
    const { proxy } = await proxied(server.url);
    const { host } = new URL(proxy.url);
    const good = { host, 'content-type': 'application/json', accept: BOTH };
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const cases: readonly [string, number, string, object, string?][] = [
      ['another name', 421, 'POST', { host: 'evil.example' }],
      ['another port', 421, 'POST', { host: '127.0.0.1:1' }],
      ['another origin', 403, 'POST', { origin: 'https://evil.example' }],
      ['no origin', 403, 'POST', { origin: 'null' }],
      ['another site', 403, 'POST', { 'sec-fetch-site': 'cross-site' }],
      ['a form', 415, 'POST', { 'content-type': 'text/plain' }],
      ['compressed', 415, 'POST', { 'content-encoding': 'gzip' }],
      ['who takes no stream', 406, 'POST', { accept: 'application/json' }],
      ['too long', 413, 'POST', {}, `"${'x'.repeat(5_000_000)}"`],
      ['a batch', 400, 'POST', {}, `[${ping}]`],
      ['a member twice', 400, 'POST', {}, '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}'],
      ['no session', 400, 'POST', {}],
      ['no such session', 404, 'POST', { 'mcp-session-id': 'x' }],
      ['no such stream', 404, 'GET', { 'mcp-session-id': 'x' }],
      ['another method', 405, 'PUT', {}],
    ];
    for (const [what, status, method, headers, body = ping] of cases)
      expect(await statusOf(proxy.url, method, { ...good, ...headers }, method === 'POST' ? body : ''), what).to.equal(
        status,
      );
    expect(await statusOf(proxy.url.replace('/mcp', '/'), 'POST', good, ping)).to.equal(404);
    expect(server.got).to.deep.equal([]);
  });

  it('cannot be exposed to other hosts by accident', async () => {
    const proxy = createMcpProxy({ pipeline: createPipeline([]) });
    const url = 'https://mcp.example/mcp';
    const refused = async (server: object, at: object): Promise<string> =>
      proxy.listen({ url, ...server }, at).then(
        () => 'listens',
        (thrown: Error) => thrown.message,
      );
    expect(await refused({}, { host: '0.0.0.0' })).to.contain('without allowed hosts');
    expect(await refused({ headers: { 'X-Key': 'k' } }, { host: '0.0.0.0', allowedHosts: ['a:1'] })).to.contain(
      'all clients would share',
    );
    expect(await refused({ url: 'ftp://x' }, {})).to.contain('https:');
    expect(await refused({ url: 'https://user:pass@x' }, {})).to.contain('pass credentials as a header');
    expect(await refused({ headers: { 'X Y': 'k' } }, {})).to.contain('valid header names');
  });

  it('keeps one server session for each client and ends both together', async () => {
    const server = await from();
    const { client, recorded } = await proxied(server.url);
    const [a, b] = [client(), client()];
    await a.start();
    await b.start();
    for (const one of [a, b])
      expect((await answerOf(await one.call('echo', { text: 'x' }))).result).to.deep.equal(said('done'));
    const theirs = server.of('tools/call').map(({ headers }) => headers['mcp-session-id']);
    expect(new Set(theirs).size).to.equal(2);
    expect(theirs).not.to.include(a.session['mcp-session-id']);
    expect(server.of('tools/call').map(({ headers }) => headers['mcp-protocol-version'])).to.deep.equal([
      '2025-11-25',
      '2025-11-25',
    ]);
    expect(recorded.of('preCall')).to.have.length(2);
    expect((await a.end()).status).to.equal(200);
    expect(
      server.got.filter(({ method }) => method === 'DELETE').map(({ headers }) => headers['mcp-session-id']),
    ).to.deep.equal([theirs[0]]);
    expect(recorded.of('postCall')).to.have.length(1);
    expect((await a.call('echo')).status).to.equal(404);
  });

  it("forwards a client's info with its own requests only", async () => {
    const server = await from();
    let free = (): void => {};
    const waits = new Promise<void>((resolve) => {
      free = resolve;
    });
    const slow: HookDefinition = {
      name: 'slow',
      approve: async ({ toolCall }) => {
        if (toolCall.input['text'] === 'first') await waits;
        return verdict.allow();
      },
    };
    const { client } = await proxied(server.url, { hooks: [slow] });
    const one = client();
    await one.start();
    const [x, y] = [{ authorization: 'Bearer x', 'x-api-key': 'kx' }, { authorization: 'Bearer y' }];
    const first = one.call('echo', { text: 'first' }, x);
    await until(() => server.of('tools/list').length > 0);
    await one.call('echo', { text: 'second' }, y);
    free();
    await first;
    expect(server.of('tools/list').map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer x']);
    const sent = server
      .of('tools/call')
      .map(({ message, headers }) => [message.params.arguments.text, headers.authorization, headers['x-api-key']]);
    expect(sent).to.deep.equal([
      ['second', 'Bearer y', undefined],
      ['first', 'Bearer x', 'kx'],
    ]);
    expect(server.got.flatMap(({ headers }) => [headers.origin, headers.cookie].filter(Boolean))).to.deep.equal([]);
  });

  it('forwards a 401 with its metadata, and names itself as the resource', async () => {
    let named = '';
    const server = await from(undefined, (message, response, { url, headers }) => {
      if (url?.startsWith('/.well-known/oauth-protected-resource/up'))
        return (
          response.end(JSON.stringify({ resource: 'theirs', authorization_servers: ['https://login.example'] })) && true
        );
      if (message?.method !== 'tools/call' || headers.authorization === 'Bearer right') return false;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${named}", scope="a"` }).end();
      return true;
    });
    named = `${new URL(server.url).origin}/.well-known/oauth-protected-resource/up`;
    const { client, proxy } = await proxied(server.url);
    const { origin } = new URL(proxy.url);
    const one = client();
    await one.start();
    const refused = await one.call('echo');
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([
      401,
      `Bearer resource_metadata="${metadata}", scope="a"`,
    ]);
    expect(await (await fetch(metadata)).json()).to.deep.equal({
      resource: proxy.url,
      authorization_servers: ['https://login.example'],
    });
    expect((await fetch(`${origin}/.well-known/other`)).status).to.equal(404);
    const before = server.got.length;
    const { host } = new URL(origin);
    for (const path of ['/../../secret', '/%2e%2e/%2e%2e/secret'])
      expect(await statusOf(origin, 'GET', { host }, '', `/.well-known/oauth-authorization-server${path}`)).to.equal(
        404,
      );
    expect(server.got.slice(before)).to.deep.equal([]);
    expect((await answerOf(await one.call('echo', {}, { authorization: 'Bearer right' }))).result).to.deep.equal(
      said('done'),
    );
  });

  it('authenticates itself if configured, and then forwards no 401 to clients', async () => {
    const server = await from((message, response, { headers }) =>
      headers.authorization === 'Bearer own' && message.params.arguments.text !== 'no'
        ? reply(response, message, said('done'))
        : response.writeHead(401, { 'www-authenticate': 'Bearer x="y"' }).end(),
    );
    const { client } = await proxied(server.url, { headers: { Authorization: 'Bearer own' } });
    const one = client({ authorization: 'Bearer client' });
    await one.start();
    expect((await answerOf(await one.call('echo'))).result).to.deep.equal(said('done'));
    const refused = await one.call('echo', { text: 'no' });
    expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([502, null]);
    expect(server.got.filter(({ headers }) => headers.authorization === 'Bearer client')).to.deep.equal([]);
  });

  it('resumes a stream cut by the server, and reports it if it cannot', async () => {
    let cut = 0;
    const server = await from(
      (message, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (message.params.arguments.text === 'lost') return void response.end(': nothing\n\n');
        response.end(
          `retry: 1\n${sse({ method: 'notifications/message', params: { level: 'info', data: 'a' } }, `e${message.id}`)}`,
        );
        cut += 1;
      },
      (_, response, { method, headers }) => {
        const id = /^e(\d+)$/.exec(String(headers['last-event-id']))?.[1];
        if (method !== 'GET' || id === undefined) return false;
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(sse({ id: Number(id), result: said('late') }, 'f'));
        return true;
      },
    );
    const { client } = await proxied(server.url);
    const one = client();
    await one.start();
    expect((await answerOf(await one.call('echo', { text: 'a' }))).result).to.deep.equal(said('late'));
    expect(cut).to.equal(1);
    const lost = await answerOf(await one.call('echo', { text: 'lost' }));
    expect(lost.error.message).to.equal('The MCP server ended its response early.');
  });

  it('reports a killed server and answers all pending requests', async () => {
    const server = await from((_, response) => void response.flushHeaders());
    const { client, recorded } = await proxied(server.url);
    const one = client();
    await one.start();
    const waiting = [one.call('echo'), one.call('echo')];
    await until(() => server.of('tools/call').length === 2);
    await server.close();
    for (const response of await Promise.all(waiting))
      expect(JSON.stringify(await answerOf(response))).to.contain('closed the connection');
    expect(JSON.stringify(await answerOf(await one.ask('ping')))).to.contain('is unreachable');
    expect(recorded.of('postActing')).to.have.length(2);
  });

  it('applies the back pressure of the client', async () => {
    let written = 0;
    const big = 'x'.repeat(100_000);
    const server = await from((message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        while (written < 400 && !response.destroyed) {
          written += 1;
          const taken = response.write(sse({ method: 'notifications/message', params: { level: 'info', data: big } }));
          if (!taken) return void response.once('drain', more);
        }
        response.end(sse({ id: message.id, result: said('all') }));
      };
      more();
    });
    const { client } = await proxied(server.url);
    const one = client();
    await one.start();
    const response = await one.call('echo');
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(written).to.be.greaterThan(0).and.lessThan(300);
    expect((await answerOf(response)).result).to.deep.equal(said('all'));
    expect(written).to.equal(400);
  });

  it('without sessions treats each request separately and a disconnect as a cancellation', async () => {
    let gone = 0;
    const server = await from((message, response) => {
      response.once('close', () => {
        if (!response.writableEnded) gone += 1;
      });
      if (message.params.arguments.text === 'slow') return void response.flushHeaders();
      reply(response, message, said(message.params.arguments.text));
    });
    const { proxy, recorded } = await proxied(server.url);
    const ask = (text: string, signal?: AbortSignal) =>
      fetch(proxy.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: BOTH, ...MODERN },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'echo', arguments: { text }, _meta: modern },
        }),
        ...(signal && { signal }),
      });
    const both = await Promise.all([ask('a'), ask('b')]);
    expect((await Promise.all(both.map(answerOf))).map(({ result }) => result.content[0].text)).to.deep.equal([
      'a',
      'b',
    ]);
    const stop = new AbortController();
    const cut = ask('slow', stop.signal).catch(() => {});
    await until(() => server.of('tools/call').length === 3);
    stop.abort();
    await cut;
    await until(() => gone === 1);
    await until(() => recorded.of('postCall').length === 3);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal([
      'executed',
      'executed',
      'cancelled',
    ]);
  });

  it('rebuilds headers that repeat changed values, and forwards the client’s others', async () => {
    const server = await from();
    const loud: HookDefinition = {
      name: 'loud',
      on: {
        preActing: (e) =>
          e.toolCall.input['text'] === 'a' ? modify(e, { toolCall: { ...e.toolCall, input: { text: 'Ä' } } }) : e,
      },
    };
    const { client } = await proxied(server.url, { hooks: [loud] });
    const one = client({ ...MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'odd', 'mcp-param-text': 'odd' });
    for (const text of ['a', 'b']) await one.ask('tools/call', { name: 'echo', arguments: { text }, _meta: modern });
    const names = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-text'];
    expect(server.of('tools/call').map(({ headers }) => names.map((name) => headers[name]))).to.deep.equal([
      ['2026-07-28', 'tools/call', 'echo', `=?base64?${Buffer.from('Ä').toString('base64')}?=`],
      ['2026-07-28', 'tools/call', 'odd', 'odd'],
    ]);
  });

  it('limits the number of sessions', async () => {
    const server = await from();
    const { client } = await proxied(server.url);
    const statuses: number[] = [];
    for (let round = 0; round < 11; round++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 91 }, async () => (await client().ask('initialize', {})).status))),
      );
    expect(statuses.filter((status) => status === 200)).to.have.length(1_000);
    expect(statuses.filter((status) => status === 503)).to.have.length(1);
  });
});
