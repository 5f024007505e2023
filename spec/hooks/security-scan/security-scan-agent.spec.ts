import { expect } from 'chai';
import { lastValueFrom, of, Subject, toArray } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { memoryTranscript } from '../../../lib/agent/transcript/memory-transcript.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { textOf, toolCallsOf } from '../../../lib/events/parts/messages.ts';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/security-scan/security-scan.ts';
import { usualRedactor } from '../../../lib/hooks/usual-redactor.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { TokenVault } from '../../../lib/redaction/redactor.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

type Turns = Parameters<typeof scriptedModel>[0];
type Play = { readonly options?: SecurityScanOptions; readonly hooks?: readonly Hook[]; readonly turns: Turns };

/** A run of an agent whose tool `env` prints the secret, with all its visible output. */
async function play({ options = {}, hooks = [], turns }: Play, prompt = 'go') {
  const seen = recorder();
  const shown: SettledEvent[] = [];
  const model = scriptedModel(turns);
  const chunks = ['TOKEN=KEY-', 'xy12', 'zw34\n'];
  const env = scriptedTool<Record<string, unknown>>({ name: 'env', chunks });
  const transcript = memoryTranscript();
  const pipeline = createPipeline([securityScan({ redactor: standInRedactor, ...options }), ...hooks, seen]);
  const agent = createAgent({ name: 'agent', model, tools: [env], pipeline, transcript });
  const post = await new Promise<SettledEvent | undefined>((resolve, reject) => {
    agent.run(prompt, { sessionId: 's' }).subscribe({
      next: (event) => void shown.push(event),
      error: reject,
      complete: () => resolve(shown.at(-1)),
    });
  });
  await pipeline.flush();
  const remembered = (await Promise.resolve(transcript.load('s') as never)) as readonly unknown[];
  return { post: post as SettledEvent & { type: 'postCall' }, shown, seen, model, env, remembered };
}

const calls = (input = {}) => ({ toolCalls: [{ name: 'env', input }] });

describe('securityScan in an agent', () => {
  it('hides the secret from user, transcript, observers and the next request alike', async () => {
    const thinking = `I saw ${SECRET}`;
    const said = { thinking, chunks: ['It is KEY', '-ab1', '2zw34.'], ...calls() };
    const { shown, seen, model, remembered, post } = await play({
      turns: [said, { chunks: ['Again: KEY-xy', '12zw34'] }],
    });

    for (const place of [shown, seen.events, model.requests, remembered]) {
      expect(JSON.stringify(place)).to.include(MARKER).and.not.include(SECRET).and.not.include('xy12');
    }
    const screen = (part: string, iteration: number) =>
      shown
        .map((event) =>
          event.type === 'reasoningChunk' && event.part === part && event.iteration === iteration ? event.delta : '',
        )
        .join('');
    const messages = shown.flatMap((event) => (event.type === 'postReasoning' ? [event.message] : []));
    expect(textOf(messages[0])).to.equal(screen('text', 1)).and.to.equal(`It is ${MARKER}.`);
    expect(messages[0]?.parts[0]).to.deep.equal({ type: 'thinking', text: screen('thinking', 1) });
    expect(textOf(post.message)).to.equal(screen('text', 2)).and.to.equal(`Again: ${MARKER}`);

    const progress = shown.map((event) => (event.type === 'actingChunk' ? event.content : '')).join('');
    const acted = shown.find((event) => event.type === 'postActing');
    expect(acted?.result.content).to.equal(progress).and.to.equal(`TOKEN=${MARKER}\n`);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).to.include(`TOKEN=${MARKER}`);
    expect(JSON.stringify(remembered)).to.equal(JSON.stringify([...(model.requests[1]?.messages ?? []), post.message]));
  });

  it('reports each secret once', async () => {
    const { seen } = await play(
      { turns: [{ chunks: ['KEY-xy12', 'zw34'], ...calls({ key: SECRET }) }, { text: SECRET }] },
      `use ${SECRET}`,
    );
    const told = seen.events.flatMap(({ type, notes = [] }) =>
      notes.map(({ code, message }) => `${type} ${code} ${message}`),
    );
    expect(told).to.deep.equal([
      'preCall secret-reported prompt: key (1 found)',
      'reasoningChunk secret-redacted text: key (1 found)',
      'preActing secret-reported toolInput: key (1 found)',
      'actingChunk secret-redacted toolProgress: key (1 found)',
      'reasoningChunk secret-redacted text: key (1 found)',
    ]);
  });

  it('reports each secret once with the policy report', async () => {
    const policies = { text: 'report', toolResult: 'report', toolProgress: 'report' } as const;
    const { seen } = await play({
      options: { policies },
      turns: [{ text: SECRET, ...calls() }, { text: `It was ${SECRET}` }],
    });
    const told = seen.events.flatMap(({ type, notes = [] }) => notes.map(({ message }) => `${type} ${message}`));
    expect(told).to.deep.equal([
      'reasoningChunk text: key (1 found)',
      'actingChunk toolProgress: key (1 found)',
      'reasoningChunk text: key (1 found)',
    ]);
  });

  it('reports findings at the end of a block with the message', async () => {
    const options = { redactor: usualRedactor(), policies: { text: 'report', toolProgress: 'report' } } as const;
    const { seen } = await play({ options, turns: [{ text: 'It is glpat-Zx81kQ2mWv7RtY3nLp0s' }] });
    const told = seen.events.flatMap(({ type, notes = [] }) => notes.map(({ message }) => `${type} ${message}`));
    expect(told).to.deep.equal(['postReasoning text: gitlab-pat (1 found)']);
  });

  it('drops blocked steering messages', async () => {
    const transcript = memoryTranscript();
    const model = scriptedModel([calls(), { text: 'never asked' }]);
    const steering$ = new Subject<string>();
    const env = scriptedTool({
      name: 'env',
      result: () => {
        steering$.next(`use ${SECRET}`);
        return 'ok';
      },
    });
    const pipeline = createPipeline([securityScan({ redactor: standInRedactor, policies: { prompt: 'block' } })]);
    const agent = createAgent({ name: 'agent', model, tools: [env], pipeline, transcript });
    const events = await lastValueFrom(agent.run('go', { sessionId: 's', steering$ }).pipe(toArray()));
    expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'aborted' });
    expect(model.requests).to.have.length(1);
    expect(JSON.stringify([events, await Promise.resolve(transcript.load('s') as never)])).to.not.include(SECRET);
  });

  it('redacts a result after its progress was only reported', async () => {
    const { shown } = await play({
      options: { policies: { toolProgress: 'report' } },
      turns: [calls(), { text: 'done' }],
    });
    expect(shown.find((event) => event.type === 'postActing')?.result.content).to.equal(`TOKEN=${MARKER}\n`);
  });

  it('runs a call unchanged with its arguments only reported', async () => {
    const { env } = await play({ turns: [calls({ key: SECRET }), { text: 'done' }] });
    expect(env.calls.map(({ input }) => input)).to.deep.equal([{ key: SECRET }]);
  });

  it('denies a call with blocked arguments, naming the rule, and reveals the secret nowhere', async () => {
    const { env, shown, model, remembered } = await play({
      options: { policies: { toolInput: 'block' } },
      turns: [calls({ key: SECRET }), { text: 'sorry' }],
    });
    expect(env.calls).to.deep.equal([]);
    expect(shown.find((event) => event.type === 'postActing')).to.deep.include({ outcome: 'denied' });
    expect(JSON.stringify(model.requests[1])).to.include('its arguments contain secrets (key); remove them');
    for (const place of [shown, model.requests, remembered]) expect(JSON.stringify(place)).to.not.include(SECRET);
  });

  it('denies a call if a later hook adds a secret', async () => {
    const late = defineHook({
      name: 'late',
      priority: 450,
      on: { preActing: ({ toolCall, ...event }) => ({ ...event, toolCall: { ...toolCall, input: { key: SECRET } } }) },
    });
    const { env } = await play({
      options: { policies: { toolInput: 'block' } },
      hooks: [late],
      turns: [calls(), { text: 'sorry' }],
    });
    expect(env.calls).to.deep.equal([]);
  });

  it('stops a tool at blocked progress and gives the model the reason', async () => {
    const { shown, model } = await play({
      options: { policies: { toolProgress: 'block' } },
      turns: [calls(), { text: 'sorry' }],
    });
    const acted = shown.find((event) => event.type === 'postActing');
    expect(acted?.result).to.deep.equal({
      content: 'The result was withheld, because it contains secrets (key).',
      isError: true,
    });
    expect(JSON.stringify([shown, model.requests])).to.not.include('xy12');
  });

  it('aborts a run at a blocked prompt or answer, and drops the prompt', async () => {
    const prompt = await play({ options: { policies: { prompt: 'block' } }, turns: [] }, `use ${SECRET}`);
    expect(prompt.post).to.include({ outcome: 'aborted' });
    expect(prompt.post.reason).to.include('prompt: key');
    expect(prompt.remembered).to.deep.equal([]);
    expect(prompt.model.requests).to.deep.equal([]);
    const answer = await play({
      options: { policies: { text: 'block' } },
      turns: [{ chunks: ['so KEY-xy', '12zw34'] }],
    });
    expect(answer.post).to.include({ outcome: 'aborted' });
    expect(JSON.stringify([answer.shown, answer.remembered])).to.not.include('xy12');
  });

  it('drops the signature of changed thinking, because its provider would reject it', async () => {
    const pipeline = createPipeline([securityScan({ redactor: standInRedactor })]);
    const model = () => of({ type: 'thinking' as const, delta: `see ${SECRET}`, metadata: { signature: 'x' } });
    const shown: SettledEvent[] = [];
    pipeline
      .start({ agent: 'agent' })
      .reason({ messages: [] }, model)
      .subscribe((event) => void shown.push(event));
    const post = shown.find((event) => event.type === 'postReasoning');
    expect(post?.message.parts[0]).to.deep.equal({ type: 'thinking', text: `see ${MARKER}` });
  });
});

describe('securityScan with tokens', () => {
  const vault: TokenVault = {
    tokenFor: () => 'tok_7f',
    valueOf: (token) => (token === 'tok_7f' ? SECRET : undefined),
  };

  it('passes the value of a token only to the tool', async () => {
    const judged: unknown[] = [];
    const judge = defineHook({
      name: 'judge',
      approve: ({ toolCall }) => {
        judged.push(toolCall.input);
        return verdict.allow();
      },
    });
    const input = { header: 'Bearer tok_7f.', list: ['[tok_7f]', 'tok_8'], n: 1 };
    const { env, shown, seen, model, remembered } = await play({
      options: { vault },
      hooks: [judge],
      turns: [calls(input), { text: 'done' }],
    });
    expect(env.calls.map((call) => call.input)).to.deep.equal([
      { header: `Bearer ${SECRET}.`, list: [`[${SECRET}]`, 'tok_8'], n: 1 },
    ]);
    expect(JSON.stringify(judged)).to.include('"$sealed":"Bearer tok_7f."');
    for (const place of [judged, shown, seen.events, model.requests, remembered])
      expect(JSON.stringify(place)).to.not.include(SECRET);
    const message = shown.find((event) => event.type === 'postReasoning')?.message;
    expect(toolCallsOf(message)[0]?.input).to.deep.equal(input);
  });

  it('passes it to the listed tools only', async () => {
    const { env } = await play({
      options: { vault, restore: ['mail_*'] },
      turns: [calls({ key: 'tok_7f' }), { text: 'done' }],
    });
    expect(env.calls.map((call) => call.input)).to.deep.equal([{ key: 'tok_7f' }]);
  });

  it('requires a vault for the mode token', () => {
    expect(() => securityScan({ mode: 'token' })).to.throw('vault: is required for the mode token');
  });
});
