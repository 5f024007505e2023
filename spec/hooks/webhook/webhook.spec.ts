import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { of } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { postBody } from '../../../lib/hooks/webhook/post-body.ts';
import { webhook } from '../../../lib/hooks/webhook/webhook.ts';
import type { WebhookOptions } from '../../../lib/hooks/webhook/webhook-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { root } from '../../cli/hookline.ts';
import { fakeContext } from '../fake-context.ts';
import { postCall, reasoningChunk } from '../sample-events.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';
import { receiver } from './a-receiver.ts';

const secret = ['swordfish', 'swordfish'].join('-');
const key = ['AKIA', 'Q3EGRIYZXLMPVT5W'].join('');
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: () => `key ${key}`,
});
const calling = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, input: { prompt: 'x' } })) });

type Receiver = Awaited<ReturnType<typeof receiver>>;

describe('webhook', () => {
  const open: Receiver[] = [];
  const receive = async (...answers: Parameters<typeof receiver>) => {
    const made = await receiver(...answers);
    open.push(made);
    return made;
  };
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  function scene(
    options: WebhookOptions,
    turns: Parameters<typeof scriptedModel>[0] = ['done'],
    more: readonly Hook[] = [],
    tools = [look],
  ) {
    const posted = webhook({ retryMs: 1, ...options });
    const lines: { text: string; lost: number | undefined }[] = [];
    const line = (fields: { lost?: number }, text: string) => void lines.push({ text, lost: fields.lost });
    const log = { debug() {}, info() {}, warn: line, error: line };
    const pipeline = createPipeline([posted.hook, ...more], { log: log as never });
    const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools, pipeline });
    return { ...posted, agent, pipeline, lines };
  }
  const typesOf = ({ received }: Receiver) => received.flatMap(({ body }) => body.events.map(({ type }) => type));

  it('posts the events of a run in order and in one batch, with secrets redacted', async () => {
    const there = await receive();
    const { agent, pipeline, counts } = scene({ url: there.url }, [calling('look'), 'done']);
    await agent.call('go', { sessionId: 's' });
    await pipeline.flush();
    const [{ body, text } = {} as never] = there.received;
    expect(there.received).to.have.length(1);
    expect(body).to.deep.include({ version: 1, hook: 'webhook', lost: 0 });
    expect(typesOf(there)).to.deep.equal(['preCall', 'postReasoning', 'postActing', 'postReasoning', 'postCall']);
    expect(body.events[0]).to.deep.include({ seq: 0 });
    expect(text).not.to.contain(key);
    expect(text).to.contain('[REDACTED:');
    expect(counts()).to.deep.equal({ sent: 5, lost: 0, waiting: 0 });
  });

  it('signs each request by Standard Webhooks', async () => {
    for (const [given, bytes] of [
      [secret, secret],
      [`whsec_${Buffer.from(secret).toString('base64')}`, secret],
    ] as const) {
      const there = await receive();
      const { agent, pipeline } = scene({ url: there.url, secret: given, headers: { authorization: 'Bearer x' } });
      await agent.call('go');
      await pipeline.flush();
      const { headers, text } = there.received[0] as Receiver['received'][number];
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      const expected = createHmac('sha256', bytes).update(signed).digest('base64');
      expect(headers['webhook-signature']).to.equal(`v1,${expected}`);
      expect(headers).to.include({ authorization: 'Bearer x', 'content-type': 'application/json' });
    }
  });

  it('retries transient failures under the same id, and no others', async () => {
    const busy = await receive(503, 429);
    const first = scene({ url: busy.url });
    await first.agent.call('go');
    await first.pipeline.flush();
    expect(new Set(busy.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
    expect(busy.received).to.have.length(3);
    expect(first.counts()).to.include({ sent: 3, lost: 0 });
    const wrong = await receive(404);
    const second = scene({ url: wrong.url });
    await second.agent.call('go');
    await second.pipeline.flush();
    expect(wrong.received).to.have.length(1);
    expect(second.counts()).to.include({ sent: 0, lost: 3 });
    expect(second.lines).to.deep.equal([{ text: 'events could not be posted and are lost', lost: 3 }]);
  });

  it('counts lost events, in the next request and once in the log', async () => {
    const there = await receive(500, 500, 500, 500);
    const { agent, pipeline, counts, lines } = scene({ url: there.url, attempts: 2 }, ['1', '2', '3']);
    for (const _ of [1, 2, 3]) {
      await agent.call('go');
      await pipeline.flush();
    }
    expect(there.received.at(-1)?.body.lost).to.equal(6);
    expect(counts()).to.deep.equal({ sent: 3, lost: 6, waiting: 0 });
    expect(lines).to.deep.equal([{ text: 'events could not be posted and are lost', lost: 3 }]);
  });

  it('never delays a run and drops the oldest events beyond its limit', async () => {
    let answer = () => {};
    const there = await receive((response) => {
      answer = () => response.writeHead(200).end();
    });
    const { agent, counts, flush, lines } = scene({ url: there.url, maxBatch: 3, maxWaiting: 4 }, ['1', '2', '3', '4']);
    await agent.call('go');
    await there.until(1);
    // The server never answers, and the agent continues.
    for (const _ of [2, 3, 4]) expect((await agent.call('go')).outcome).to.equal('completed');
    expect(counts()).to.deep.equal({ sent: 0, lost: 5, waiting: 7 });
    expect(lines.map(({ text }) => text)).to.deep.equal(['events could not be posted and are lost']);
    answer();
    await flush();
    expect(counts()).to.deep.equal({ sent: 7, lost: 5, waiting: 0 });
    expect(typesOf(there).slice(-4)).to.deep.equal(['postCall', 'preCall', 'postReasoning', 'postCall']);
  });

  it('sends after the batch time, in batches up to the maximum size', async () => {
    const there = await receive();
    const { pipeline } = scene({ url: there.url, batchMs: 5, maxBatch: 2, events: ['preActing', 'postActing'] });
    const run = pipeline.start({ agent: 'a' });
    // Without an end of the run only the batch time can send it.
    for (const id of ['1', '2', '3']) run.act({ id, name: 'look', input: {} }, [look]).subscribe();
    await there.until(3);
    expect(there.received.map(({ body }) => body.events.length)).to.deep.equal([2, 2, 2]);
  });

  it('posts only configured events and agents, sub-agents too, and no snapshot', async () => {
    const there = await receive();
    const child = createAgent({ name: 'child', model: scriptedModel(['c']) });
    const tools = [look, agentTool(child, { description: 'helps' })] as never;
    const options: WebhookOptions = { url: there.url, events: ['postCall'], agents: ['ch*'] };
    const { agent, flush } = scene(options, [calling('child'), 'done'], [], tools);
    await agent.call('go');
    await flush();
    expect(
      there.received.flatMap(({ body }) => body.events.map(({ run }) => (run as { agent: string }).agent)),
    ).to.deep.equal(['child']);
    // Only the end of the sub-agent's run makes a flush of the pipeline wait.
    const theirs = await receive();
    const again = scene({ ...options, url: theirs.url, batchMs: 1_000_000 }, [calling('child'), 'done'], [], tools);
    await again.agent.call('go');
    await again.pipeline.flush();
    expect(theirs.received).to.have.length(1);
    const asking = defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') });
    const all = await receive();
    const suspended = scene({ url: all.url, events: ['postCall'] }, [calling('look')], [asking]);
    const post = await suspended.agent.call('go');
    expect(post).to.have.property('snapshot');
    await suspended.pipeline.flush();
    expect(all.received[0]?.body.events[0]).to.include({ outcome: 'suspended' }).and.not.to.have.property('snapshot');
  });

  it('redacts secrets in streams, also split ones, and truncates long text', async () => {
    const there = await receive();
    const pieces = [key.slice(0, 9), key.slice(9), ' ok'];
    const model = () => of(...pieces.map((delta) => ({ type: 'text' as const, delta })));
    const posted = webhook({ url: there.url, events: ['reasoningChunk', 'postReasoning'], maxEventChars: 600 });
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([posted.hook]) });
    await agent.call('go');
    await posted.flush();
    const text = there.received.map((one) => one.text).join('');
    expect(text).not.to.contain(key.slice(9));
    const long = createAgent({
      name: 'a',
      model: scriptedModel(['x'.repeat(100_000)]),
      pipeline: createPipeline([posted.hook]),
    });
    await long.call('go');
    await posted.flush();
    expect(there.received.at(-1)?.text.length).to.be.below(10_000);
    expect(there.received.at(-1)?.text).to.contain('characters omitted');
  });

  it('redacts secrets after lost chunks, and keeps text of cut blocks out of later runs', async () => {
    const there = await receive();
    const posted = webhook({
      url: there.url,
      redact: standInRedactor,
      events: ['reasoningChunk', 'postReasoning'],
      maxWaiting: 4,
      batchMs: 1_000_000,
    });
    const chunk = (delta: string) => ({ ...reasoningChunk, delta });
    // The first half of the secret exceeds the limit and is dropped.
    for (const event of [chunk(SECRET.slice(0, 8)), chunk(SECRET.slice(8)), chunk(' it is'), chunk(SECRET.slice(0, 9))])
      posted.hook.observe?.(event, fakeContext());
    posted.hook.observe?.(postCall, fakeContext());
    posted.hook.observe?.(chunk('again'), fakeContext());
    await posted.flush();
    expect(there.received[0]?.body.events.map(({ delta }) => delta)).to.deep.equal([MARKER, ' it is', '', 'again']);
    expect(posted.counts()).to.deep.equal({ sent: 4, lost: 1, waiting: 0 });
  });

  it('keeps a process alive for at most flushMs, unless flush() is awaited', async () => {
    const refusing = await receive(...Array<number>(8).fill(503));
    const child = (how: string) =>
      promisify(execFile)(
        process.execPath,
        ['-C', 'hookline:source', '-r', 'ts-node/register', join(__dirname, 'post.child.ts'), refusing.url, how],
        { cwd: root },
      );
    expect((await child('pipeline')).stdout).to.equal('{"sent":0,"lost":0,"waiting":3}');
    expect((await child('flush')).stdout).to.equal('{"sent":0,"lost":3,"waiting":0}');
  });

  it('follows no redirects and aborts slow requests', async () => {
    const elsewhere = await receive();
    const there = await receive((response) => void response.writeHead(307, { location: elsewhere.url }).end());
    const moved = scene({ url: there.url, attempts: 1 });
    await moved.agent.call('go');
    await moved.pipeline.flush();
    expect(elsewhere.received).to.have.length(0);
    expect(moved.counts()).to.include({ lost: 3 });
    const silent = await receive(() => {});
    const late = scene({ url: silent.url, attempts: 1, timeoutMs: 20 });
    await late.agent.call('go');
    await late.flush();
    expect(late.counts()).to.include({ lost: 3 });
  });

  it('tries a redirect once and logs that it is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const elsewhere = await receive();
      const redirect = (response: ServerResponse) => response.writeHead(status, { location: elsewhere.url }).end();
      const there = await receive(...Array(5).fill(redirect));
      const failures: unknown[] = [];
      const posting = { url: there.url, headers: {}, attempts: 5, retryMs: 1, timeoutMs: 5_000 };
      await postBody('{}', posting).catch((thrown) => failures.push(thrown));
      expect([there.received.length, elsewhere.received.length], String(status)).to.deep.equal([1, 0]);
      expect(String(failures[0])).to.include(`the response was ${status}, a redirect, which the hook does not follow`);
    }
  });

  it('delays the exit of a process only up to its limit', async () => {
    const there = await receive(() => {});
    const { agent, pipeline, lines } = scene({ url: there.url, flushMs: 20, timeoutMs: 1_000, attempts: 1 });
    await agent.call('go');
    await pipeline.flush();
    expect(lines.map(({ text }) => text)).to.deep.equal(['events are still queued after 0.02 s']);
  });

  it('rejects invalid options', () => {
    for (const url of ['ftp://x', 'nowhere', 'file:///etc/passwd'])
      expect(() => webhook({ url }))
        .to.throw('url: must be an http or https URL')
        .with.property('code', 'OPTIONS_INVALID');
    expect(() => webhook({ url: 'http://localhost', secret: 'short' })).to.throw('secret: must have at least 16');
    expect(() => webhook({ url: 'http://localhost', events: [] })).to.throw('events: must contain at least one');
    const headers = (given: Record<string, string>) => () => webhook({ url: 'http://localhost', headers: given });
    expect(headers({ 'a b': 'c' })).to.throw('headers: must have names with only letters, digits, _ and -');
    expect(headers({ a: 'b\nc: d' })).to.throw('headers.a: must be printable ASCII');
  });

  it('keeps the hook contract', async () => {
    const gone = await receiver();
    gone.close();
    await hookContract(webhook({ url: gone.url, attempts: 1 }).hook);
  });
});
