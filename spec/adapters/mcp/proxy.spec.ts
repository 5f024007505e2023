import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { abort, type HookDefinition, modify, respond, verdict } from '../../../lib/index.ts';
import { groupLives } from '../../../lib/processes/spawn-group.ts';
import { direct, proxied, type Setup } from './proxied.ts';

const SECRET = `hunter${2}-hunter`;
const clean = (text: string) => text.replaceAll(SECRET, '***');
const redacting: HookDefinition = {
  name: 'redacting',
  redact: clean,
  on: {
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
  },
};
const deep = '['.repeat(600) + ']'.repeat(600);
const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('May it?') };
const forms = { capabilities: { elicitation: {} } };
const says = (approve: boolean) => ({ result: { action: 'accept', content: { approve } } });

describe('an MCP proxy over stdio', () => {
  const open: ReturnType<typeof proxied>[] = [];
  const start = async (setup: Setup = {}) => {
    const one = proxied(setup);
    open.push(one);
    await one.start();
    return one;
  };
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  it('passes everything but calls byte for byte in both directions', async () => {
    const one = await start();
    const line = '{"params": {"x": 1.50, "y": "\\u0041"}, "method":"x/unknown" , "id": "odd", "jsonrpc":"2.0"}';
    const notice = '{"jsonrpc":"2.0",  "method":"notifications/x/unknown","params":{"a":[1.0]}}';
    one.write(notice);
    const answer = await one.exchange(line, 'odd');
    expect(answer).to.equal(await direct(line));
    expect(answer).to.contain('12345678901234567890');
    expect(one.received()).to.include.members([line, notice]);
  });

  it('maps a session to a run: preCall at the first call, postCall at the end', async () => {
    const one = await start();
    expect(one.recorded.events).to.deep.equal([]);
    expect(await one.call('echo', { text: 'a' })).to.deep.equal({ content: [{ type: 'text', text: 'a' }] });
    await one.call('echo', { text: 'b' });
    expect(one.recorded.of('preCall')).to.have.length(1);
    expect(one.recorded.of('preCall')[0]?.run.metadata).to.deep.equal({
      client: { name: 'raw', version: '1' },
      server: { name: 'plain', version: '1' },
    });
    await one.close();
    expect(one.recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'executed']);
    expect(one.recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });

  it('runs the judged call with the changes of hooks, never the original text', async () => {
    const seen: unknown[] = [];
    const one = await start({
      hooks: [
        { name: 'upper', on: { preActing: (e) => modify(e, { toolCall: { ...e.toolCall, input: { text: 'B' } } }) } },
        { name: 'sees', observe: (e) => void (e.type === 'preActing' && seen.push(e.toolCall.input)) },
      ],
    });
    expect((await one.call('echo', { text: 'a' })).content[0].text).to.equal('B');
    expect(seen).to.deep.equal([{ text: 'B' }]);
    expect(
      one
        .received()
        .filter((line) => line.includes('tools/call'))
        .map((line) => JSON.parse(line).params),
    ).to.deep.equal([{ name: 'echo', arguments: { text: 'B' } }]);
  });

  it('answers denied, failed and invalid calls with an error result, never a JSON-RPC error', async () => {
    const one = await start({
      hooks: [
        { name: 'guard', approve: (e) => (e.toolCall.name === 'look' ? verdict.deny('no looking') : verdict.allow()) },
      ],
    });
    const denied = await one.call('look');
    expect([denied.isError, denied.content[0].text]).to.deep.equal([
      true,
      'The call was denied by hook "guard": no looking',
    ]);
    const misfit = await one.call('echo', { text: 3 });
    expect(misfit.isError).to.equal(true);
    expect(misfit.content[0].text).to.contain('text');
    expect(one.received().filter((line) => line.includes('tools/call'))).to.deep.equal([]);
  });

  it('passes on the server’s error for an unknown tool, and judges unlisted tools', async () => {
    const one = await start({
      hooks: [
        { name: 'guard', approve: (e) => (e.toolCall.name === 'hidden' ? verdict.deny('unlisted') : verdict.allow()) },
      ],
    });
    expect((await one.ask('tools/call', { name: 'none' })).error).to.deep.equal({
      code: -32602,
      message: 'Unknown tool: none',
    });
    expect((await one.call('hidden')).isError).to.equal(true);
    expect((await one.call('strange')).content[0].text).to.equal('strange');
    expect(one.warnings.filter((said) => said.startsWith('only the MCP server validates the calls'))).to.have.length(1);
  });

  it('redacts secrets in every copy: structure, other fields, progress, resources, requests', async () => {
    const one = await start({
      hooks: [redacting],
      env: { SECRET },
      ...forms,
      answers: () => ({ result: { action: 'accept', content: { city: SECRET } } }),
    });
    const told = { note: 'the key is ***' };
    const weather = await one.call('weather', { city: 'x' });
    expect(weather).to.deep.equal({ content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told });
    expect(await one.call('mixed')).to.deep.equal({
      content: [{ type: 'text', text: 'Fine weather.' }],
      structuredContent: told,
    });
    expect(await one.call('look')).to.deep.equal({ content: [{ type: 'text', text: 'seen ***' }] });
    await one.call('count', { to: 3 }, { progressToken: 'p' });
    await one.ask('resources/read', { uri: 'a:b' });
    expect((await one.call('ask')).content[0].text).to.contain('***');
    expect(one.lines.filter((line) => line.includes('step'))).to.have.length(3);
    expect(one.lines.filter((line) => line.includes(SECRET))).to.deep.equal([]);
    expect(one.received().filter((line) => line.includes(SECRET))).to.deep.equal([]);
  });

  it('redacts secrets in errors of a client, and rejects ambiguous messages', async () => {
    const failed = (data: unknown) => ({ error: { code: 1, message: `no ${SECRET}`, data } });
    for (const [answer, code] of [
      [failed({ key: [SECRET] }), 1],
      [{ ...failed(SECRET), result: { a: SECRET } }, -32603],
      [{ error: SECRET }, -32603],
    ] as const) {
      const one = await start({ hooks: [redacting], env: { SECRET }, ...forms, answers: () => answer });
      await one.call('ask');
      const [got = ''] = one.received().filter((line) => line.includes('"s1"'));
      const { error } = JSON.parse(got);
      expect([error.code, got.includes(SECRET)]).to.deep.equal([code, false]);
      if (code === 1) expect({ error }).to.deep.equal(JSON.parse(clean(JSON.stringify(answer))));
    }
  });

  it('rebuilds the structure of an edited text, even without other redaction', async () => {
    const { redact: _, ...edits } = redacting;
    const one = await start({ hooks: [edits], env: { SECRET } });
    for (const name of ['weather', 'mixed'])
      expect((await one.call(name, { city: 'x' })).structuredContent, name).to.deep.equal({ note: 'the key is ***' });
  });

  it('returns an error if an edited text breaks the promised structure', async () => {
    const cut: HookDefinition = {
      name: 'cut',
      on: { postActing: (e) => modify(e, { result: { ...e.result, content: 'cut' } }) },
    };
    const one = await start({ hooks: [cut], env: { SECRET } });
    for (const name of ['weather', 'mixed']) {
      const result = await one.call(name, { city: 'x' });
      expect(result.content).to.deep.equal([{ type: 'text', text: 'cut' }]);
      expect(JSON.stringify(result)).not.to.contain(SECRET);
      expect(result.isError).to.equal(name === 'weather' ? true : undefined);
    }
  });

  it('returns an answer of a hook with the promised structure', async () => {
    const cached: HookDefinition = {
      name: 'cached',
      on: { preActing: (e) => respond(e, { content: '{"note":"kept"}', isError: false }) },
    };
    const one = await start({ hooks: [cached] });
    expect((await one.call('weather', { city: 'x' })).structuredContent).to.deep.equal({ note: 'kept' });
    expect((await one.call('echo', { text: 'x' })).content[0].text).to.equal('{"note":"kept"}');
  });

  it('prompts for the final call if the client can, and fails closed otherwise', async () => {
    const rewrite: HookDefinition = {
      name: 'b',
      on: { preActing: (e) => modify(e, { toolCall: { ...e.toolCall, input: { text: 'final' } } }) },
    };
    const hooks = [rewrite, asks];
    const yes = await start({ hooks, ...forms, answers: () => says(true) });
    expect((await yes.call('echo', { text: 'a' })).content[0].text).to.equal('final');
    expect(yes.told[0].params.message).to.equal('May it?\n\necho\n{\n  "text": "final"\n}');
    const outcomes: unknown[] = [];
    for (const answers of [
      () => says(false),
      () => ({ result: { action: 'decline' } }),
      () => ({ error: { code: -1, message: 'x' } }),
    ]) {
      const no = await start({ hooks, ...forms, answers });
      outcomes.push(
        (await no.call('echo', { text: 'a' })).isError,
        no.received().some((line) => line.includes('tools/call')),
      );
    }
    const silent = await start({ hooks, ...forms, askTimeoutMs: 50 });
    const dumb = await start({ hooks });
    for (const one of [silent, dumb]) outcomes.push((await one.call('echo', { text: 'a' })).content[0].text);
    const refused = outcomes.pop();
    for (const said of ['does not support forms', 'default', '--inspect', '--trust-annotations', 'May it?'])
      expect(refused).to.contain(said);
    expect(outcomes).to.deep.equal([
      ...[true, false, true, false, true, false],
      'The call was denied by hook "asks": the approval timed out',
    ]);
  });

  it('asks host and client, accepts the first answer and retracts the other prompt', async () => {
    const mute = await start({ hooks: [asks], ask: async () => ({ approved: true }) });
    expect((await mute.call('echo', { text: 'a' })).content[0].text).to.equal('a');
    const failing = await start({ hooks: [asks], ask: () => Promise.reject(new Error('no page')) });
    expect((await failing.call('echo', { text: 'a' })).content[0].text).to.contain(
      'the approval prompt failed: no page',
    );
    let withdrawn = 0;
    const never = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          withdrawn += 1;
          reject(signal.reason);
        });
      });
    const both = await start({ hooks: [asks], ...forms, answers: () => says(true), ask: never });
    expect((await both.call('echo', { text: 'a' })).content[0].text).to.equal('a');
    expect(withdrawn).to.equal(1);
    const silent = await start({ hooks: [asks], ...forms, ask: async () => ({ approved: false, reason: 'not now' }) });
    expect((await silent.call('echo', { text: 'a' })).content[0].text).to.contain('not now');
    await silent.ask('ping');
    expect(silent.told.map(({ method }) => method)).to.deep.equal(['elicitation/create', 'notifications/cancelled']);
  });

  it('without sessions prompts through the result and accepts an approval once', async () => {
    const one = proxied({ hooks: [asks] });
    open.push(one);
    const prefix = 'io.modelcontextprotocol/';
    const _meta = {
      [`${prefix}protocolVersion`]: '2026-07-28',
      [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
    };
    const call = { name: 'echo', arguments: { text: 'a' }, _meta };
    const { result } = await one.ask('tools/call', call);
    expect(result.resultType).to.equal('input_required');
    const { requestState } = result;
    const [key] = Object.keys(result.inputRequests) as [string];
    const answered = {
      ...call,
      requestState,
      inputResponses: { [key]: { action: 'accept', content: { approve: true } } },
    };
    const forged = { ...answered, requestState: requestState.replace('echo', 'look') };
    expect((await one.ask('tools/call', forged)).result.isError).to.equal(true);
    const other = await one.ask('tools/call', { ...answered, arguments: { text: 'other' } });
    expect(other.result.resultType).to.equal('input_required');
    const again = (await one.ask('tools/call', call)).result;
    const yes = { ...answered, requestState: again.requestState };
    expect((await one.ask('tools/call', yes)).result.content[0].text).to.equal('a');
    expect((await one.ask('tools/call', yes)).result.isError).to.equal(true);
    expect(one.received().filter((line) => line.includes('tools/call'))).to.have.length(1);
    expect(one.received().join('')).not.to.contain('requestState');
  });

  it('answers this and later calls with errors after an abort, and passes the rest', async () => {
    const one = await start({ hooks: [{ name: 'stop', on: { preActing: (e) => abort(e, 'enough') } }] });
    for (const _ of [1, 2]) expect((await one.call('echo', { text: 'a' })).isError).to.equal(true);
    expect((await one.ask('tools/list')).result.tools).to.have.length(9);
    await one.close();
    expect(one.recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['aborted']);
  });

  it('cancels the call at the server and answers nothing', async () => {
    const one = await start();
    one.send({ id: 'c', method: 'tools/call', params: { name: 'slow', arguments: {} } });
    while (!one.received().some((line) => line.includes('"slow"')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    one.send({ method: 'notifications/cancelled', params: { requestId: 'c', reason: 'changed my mind' } });
    while (one.errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(one.errors).to.deep.equal(['cancelled c: changed my mind']);
    expect((await one.call('echo', { text: 'a' })).content[0].text).to.equal('a');
    expect(one.lines.filter((line) => line.includes('"c"'))).to.deep.equal([]);
    expect(one.recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['cancelled', 'executed']);
  });

  it('offers no tasks and accepts none', async () => {
    const one = proxied({ capabilities: { tasks: { list: {} }, roots: {} } });
    open.push(one);
    expect((await one.start()).capabilities).to.deep.equal({ tools: { listChanged: true } });
    expect(JSON.parse(one.received()[0] as string).params.capabilities).to.deep.equal({ roots: {} });
    expect((await one.ask('tasks/get', { taskId: '1' })).error.code).to.equal(-32601);
    await one.ask('tools/call', { name: 'echo', arguments: { text: 'a' }, task: { ttl: 1 } });
    expect(one.received().join('')).not.to.contain('"task"');
  });

  it('answers pending requests when the server is killed, with the reason', async () => {
    const one = await start();
    one.send({ id: 'w', method: 'tools/call', params: { name: 'slow', arguments: {} } });
    const died = await one.call('die');
    expect([died.isError, died.content[0].text]).to.deep.equal([
      true,
      'Tool "die" failed: The MCP server was killed by SIGKILL.',
    ]);
    expect(await one.over).to.equal('The MCP server was killed by SIGKILL.');
    expect(one.lines.filter((line) => line.includes('"w"'))).to.have.length(1);
  });

  it('names a command that cannot start', async () => {
    const one = proxied({ command: ['no-such-program-at-all'] });
    const reply = await one.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(reply.error.message).to.contain('could not be started');
    expect(await one.over).to.contain('no-such-program-at-all');
  });

  it('leaves no process when the client disconnects', async () => {
    const one = proxied({ command: ['/bin/sh', '-c', 'sleep 1000 & echo $$ >&2; cat'] });
    while (one.errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.close();
    expect(await groupLives(Number(one.errors[0]))).to.equal(false);
  });

  it('kills a stubborn server before the client kills the proxy', async function () {
    this.timeout(30_000);
    // It ignores the end of its input and SIGTERM. Clients of the SDK kill the proxy two seconds after SIGTERM.
    const stubborn = 'trap "" TERM; echo $$ >&2; while :; do sleep 1; done';
    const one = proxied({ command: ['/bin/sh', '-c', stubborn] });
    while (one.errors.length === 0) await sleep(5);
    one.send({ id: 1, method: 'tools/call', params: { name: 'look' } });
    void one.close();
    await sleep(50);
    one.stop();
    expect(await Promise.race([one.over, sleep(2_000, 'killed')])).not.to.equal('killed');
    expect(await groupLives(Number(one.errors[0]))).to.equal(false);
  });

  it('ends with its client if the server closed its input and reads no more', async () => {
    const one = proxied({ command: ['/bin/sh', '-c', 'echo ready >&2; sleep 0.2; exec <&-; sleep 1000'] });
    while (one.errors.length === 0) await sleep(5);
    one.send({ id: 1, method: 'ping', params: { filler: 'x'.repeat(1_000_000) } });
    const began = performance.now();
    await one.close();
    expect(performance.now() - began).to.be.below(10_000);
  });

  it('reports a server that never ends a message', async function () {
    this.timeout(60_000);
    const one = proxied({
      command: [process.execPath, '-e', 'setInterval(() => process.stdout.write("x".repeat(1e7)), 20)'],
    });
    expect(await one.over, one.errors.join('\n')).to.contain('the server sent a message of more than');
  });

  it('drops invalid messages of a server and continues', async () => {
    const one = await start();
    expect((await one.ask('x/noise')).result).to.deep.equal({});
    expect(one.warnings).to.have.length(2);
    expect(one.lines.filter((line) => line.includes('no message') || line.includes('nobody'))).to.deep.equal([]);
  });

  it('forwards a flood of server messages in order', async () => {
    const one = await start();
    await one.ask('x/flood');
    expect(one.told).to.have.length(20_000);
  });

  for (const [what, line, answered = null] of [
    ['a repeated field', '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}', 1],
    ['a field in another case', '{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}', 1],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]', 1],
    [
      'a field with letters that normalize',
      '{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{"name":"tools/call"}}',
      1,
    ],
    ['text that is not JSON', 'tools/call'],
    ['a call sent as a notification', '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"look"}}'],
    ['a call with the id null', '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"look"}}'],
    [
      'an id that parsers round',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"look"}}',
    ],
    ['an infinite id', '{"jsonrpc":"2.0","id":1e400,"method":"tools/call","params":{"name":"look"}}'],
    ['a call with too deep nesting', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":${deep}}}`, 1],
  ] as const) {
    it(`rejects ${what}, which other parsers could read as a call`, async () => {
      const one = await start();
      expect(JSON.parse(await one.exchange(line, answered)).error.code).to.equal(-32600);
      await one.ask('ping');
      expect(one.received().filter((got) => got.includes('tools/call'))).to.deep.equal([]);
    });
  }

  it('rejects a method similar to tools/call, which a lax server could accept', async () => {
    const one = await start();
    for (const method of [
      'tools/call ',
      'TOOLS/CALL',
      'tools//call',
      ' Tools/Call',
      'too\u200bls/call',
      '\uff54ools/call',
    ]) {
      const { error } = await one.ask(method, { name: 'look' });
      expect([error?.code, error?.message.includes('misspelling')], method).to.deep.equal([-32601, true]);
    }
    await one.ask('ping');
    expect(one.received().filter((got) => got.includes('look'))).to.deep.equal([]);
  });

  it('replaces line breaks inside a message by spaces, because some readers split there', async () => {
    const one = await start();
    await one.exchange('{"jsonrpc":"2.0","id":"x",\r"method":"ping"}', 'x');
    expect(one.received().at(-1)).to.equal('{"jsonrpc":"2.0","id":"x", "method":"ping"}');
  });

  it('rejects a call with a number that loses precision', async () => {
    const one = await start();
    for (const [number, fine] of [
      ['1234567890123456789', false],
      ['-90071992547409931', false],
      ['1234567890123456', true],
      ['"1234567890123456789"', true],
      ['1152921504606846976', true],
      ['1.2345678901234567891', true],
    ] as const) {
      const line = `{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"name":"look","arguments":{"n":${number}}}}`;
      const { error } = JSON.parse(await one.exchange(line, 'n'));
      expect(error?.code, number).to.equal(fine ? undefined : -32602);
      if (!fine) expect(error.message).to.contain(number).and.contain('as a string');
    }
  });

  it('distinguishes calls with a numeric id and the same id as text', async () => {
    const waits = [20, 100];
    const slow: HookDefinition = { name: 'slow', approve: () => sleep(waits.shift() ?? 0).then(() => verdict.allow()) };
    const one = await start({ hooks: [slow] });
    const line = (id: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'look' } });
    const replies = await Promise.all([one.exchange(line(1), 1), one.exchange(line('1'), '1')]);
    expect(replies.map((reply) => JSON.parse(reply).result.content[0].text)).to.deep.equal([
      'seen nothing',
      'seen nothing',
    ]);
  });

  it('accepts an approval only for its own prompt', async () => {
    const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Sure?') };
    const one = await start({
      hooks: [asks],
      capabilities: { elicitation: {} },
      answers: ({ params }) =>
        params.message.includes('cats') ? { result: { action: 'accept', content: { approve: true } } } : undefined,
    });
    void one.ask('tools/call', { name: 'look' });
    while (one.told.length === 0) await sleep(5);
    const { result } = await one.ask('x/forge');
    expect(result.answered).to.equal(true);
    await one.ask('ping');
    expect(one.received().filter((got) => got.includes('tools/call'))).to.deep.equal([]);
  });

  it('answers for a server reply that cannot be passed on', async () => {
    const one = await start();
    for (const kind of ['null', 'list', 'twice', 'both', 'batch']) {
      const { error } = await one.ask('x/odd', { kind }, `odd-${kind}`);
      expect([error?.code, error?.message.includes('The proxy rejected the message')], kind).to.deep.equal([
        -32603,
        true,
      ]);
    }
  });

  it('passes large messages with foreign JSON formatting', async function () {
    this.timeout(60_000);
    const one = await start();
    const { result } = await one.ask('x/large');
    expect(result.text).to.have.length(20_000_000);
  });

  it('applies hooks to progress with the numeric token as text', async () => {
    const hides: HookDefinition = { name: 'hides', on: { actingChunk: (e) => modify(e, { content: '***' }) } };
    const one = await start({ hooks: [hides] });
    await one.ask('tools/call', { name: 'tokens', arguments: {}, _meta: { progressToken: 5 } });
    const told = one.told.map(({ params }) => params.message);
    expect(told).to.have.length.greaterThan(0);
    expect(told.filter((message) => message !== '***')).to.deep.equal([]);
  });

  it('continues after an unreadable token', async () => {
    const one = await start();
    await one.call('tokens', { odd: true }, { progressToken: 5 });
    expect((await one.call('look')).content[0].text).to.equal('seen nothing');
  });

  it('treats an unreadable answer to its own prompt as no, hidden from the server', async () => {
    const one = await start({
      hooks: [asks],
      ...forms,
      answers: () => ({ result: { action: 'accept', content: { approve: true } }, error: { code: 1, message: 'no' } }),
    });
    const { isError, content } = await one.call('look');
    expect(isError, JSON.stringify(content)).to.equal(true);
    await one.ask('ping');
    expect(one.received().filter((got) => got.includes('hookline-') && !got.includes('method'))).to.deep.equal([]);
  });
});
