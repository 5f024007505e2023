import { expect } from 'chai';
import { NEVER, of, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { memoryTranscript } from '../../../lib/agent/transcript/memory-transcript.ts';
import type { Note } from '../../../lib/events/decisions/note.ts';
import { systemMessage, textOf, userMessage } from '../../../lib/events/parts/messages.ts';
import { autoContext } from '../../../lib/hooks/auto-context/auto-context.ts';
import type { AutoContextOptions } from '../../../lib/hooks/auto-context/auto-context-options.ts';
import { autoContextOptionsSchema } from '../../../lib/hooks/auto-context/auto-context-options.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { fileStateStore } from '../../../lib/store/state/file-state-store.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';
import { tempFolder } from '../../temp-folder.ts';
import { byLetter, line, longTalk, type Seen, watched } from './conversation-scene.ts';

const small: AutoContextOptions = {
  maxTokens: 3_000,
  shrinkTo: 0.5,
  keepChars: 20,
  offload: false,
  summary: { maxTokens: 200 },
};
const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
const calls = (...named: [string, object][]): ModelChunk[] => [
  ...named.map(
    ([name, input], at): ModelChunk => ({
      type: 'toolCall',
      toolCall: { id: `${name}-${at}`, name, input: input as never },
    }),
  ),
  { type: 'finish', finishReason: 'toolCalls' },
];

/** An agent with a long conversation. */
function scene(
  options: AutoContextOptions,
  { model = watched(), turns = 20, size = 200, host = {} as HookHost, more = [] as readonly Hook[] } = {},
) {
  const transcript = memoryTranscript();
  transcript.append('s', longTalk(turns, size));
  const notes: Note[] = [];
  const lines: string[] = [];
  const warn = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const log = { debug() {}, info() {}, warn, error: warn };
  const reader = defineHook({ name: 'reader', observe: ({ notes: said = [] }) => void notes.push(...said) });
  const pipeline = createPipeline([autoContext(options, { countTokens: byLetter, ...host }), reader, ...more], { log });
  const tools = [scriptedTool({ name: 'look', permission: 'read', result: 'y'.repeat(size) })];
  const agent = createAgent({ name: 'a', instructions: 'Be kind.', model, tools, pipeline, transcript });
  const loaded = () => transcript.load('s') as ReturnType<typeof longTalk>;
  return { agent, model, notes, lines, transcript, loaded };
}

const lastRequest = ({ requests }: Seen) => (requests.at(-1)?.messages ?? []).map(line);

describe('autoContext', () => {
  it('leaves a request within the budget alone', async () => {
    const { agent, model, notes } = scene({ ...small, maxTokens: 100_000 });
    await agent.call('go', { sessionId: 's' });
    expect(lastRequest(model)).to.deep.equal(['system: Be kind.', ...longTalk(20).map(line), 'user: go']);
    expect(notes).to.deep.equal([]);
  });

  it('shortens old results first and keeps the last messages and the transcript', async () => {
    const { agent, model, notes, loaded } = scene({ ...small, maxTokens: 5_000, shrinkTo: 0.9 });
    await agent.call('go', { sessionId: 's' });
    const request = lastRequest(model);
    expect(request).to.have.lengthOf(82);
    expect(request[3]).to.equal('tool: result c0: 0:xxxxxxxx\n[180 characters are left out here.]\nxxxxxxxxxx');
    expect(request.slice(-9, -1)).to.deep.equal(longTalk(20).slice(-8).map(line));
    expect(loaded().slice(0, 80)).to.deep.equal(longTalk(20));
    expect(notes.map(({ code }) => code)).to.deep.equal(['context-compressed']);
    expect(notes[0]?.data).to.deep.include({ droppedMessages: 0, remainingMessages: 81 });
  });

  it('then summarizes old messages once and reuses the summary in later steps and runs', async () => {
    const model = watched((nth) => (nth === 1 ? calls(['look', {}]) : undefined));
    const { agent, notes, loaded } = scene(small, { model });
    await agent.call('go', { sessionId: 's' });
    expect(model.requests).to.have.lengthOf(2);
    const request = lastRequest(model);
    expect(request.slice(0, 2)).to.deep.equal(['system: Be kind.', 'user: question 0']);
    expect(request[2]).to.match(/^user: \[Summary of the first \d+ messages, which are omitted:\]\nsummary 1$/);
    expect(model.summaries[0]).to.include('user: question 1\nassistant calls look {}\nresult of look: 1:xx');
    expect(notes.map(({ code }) => code)).to.deep.equal(['context-compressed', 'context-summarised']);
    await agent.call('and?', { sessionId: 's' });
    expect(model.summaries).to.have.lengthOf(1);
    expect(lastRequest(model).slice(0, 3)).to.deep.equal(request.slice(0, 3));
    expect(loaded()).to.have.lengthOf(86);
  });

  it('reuses the summary of another process and builds on it', async () => {
    const host = { store: fileStateStore(tempFolder('auto-context')) };
    const first = scene(small, { host });
    await first.agent.call('go', { sessionId: 's' });
    const second = scene(small, { host });
    await second.agent.call('go', { sessionId: 's' });
    expect(second.model.summaries).to.deep.equal([]);
    expect(lastRequest(second.model)).to.deep.equal(lastRequest(first.model));
    const third = scene(small, { host, turns: 40 });
    await third.agent.call('go', { sessionId: 's' });
    expect(third.model.summaries[0]).to.include('The summary of what came before:\nsummary 1');
  });

  it('starts over if the conversation is a different one', async () => {
    const host = { store: memoryStateStore() };
    await scene(small, { host }).agent.call('go', { sessionId: 's' });
    const other = scene(small, { host, size: 190 });
    await other.agent.call('go', { sessionId: 's' });
    expect(other.model.summaries[0]).to.not.include('what came before');
    const short = scene(small, { host, turns: 2 });
    await short.agent.call('go', { sessionId: 's' });
    expect(lastRequest(short.model)).to.have.lengthOf(10);
  });

  it('summarizes a long conversation piece by piece', async () => {
    const { agent, model } = scene(small, { turns: 60 });
    await agent.call('go', { sessionId: 's' });
    expect(model.summaries.length).to.be.greaterThan(2);
    for (const piece of model.summaries) expect(piece.length).to.be.below(2_500);
    expect(model.summaries[1]).to.include('what came before:\nsummary 1');
    expect(lastRequest(model)[2]).to.include(`summary ${model.summaries.length}`);
  });

  it('asks the configured model, of the host or of the pipeline', async () => {
    const own = watched();
    const { agent, model } = scene(
      { ...small, summary: { model: 'small', maxTokens: 200 } },
      { host: { models: { small: own } } },
    );
    await agent.call('go', { sessionId: 's' });
    expect([own.summaries.length, model.summaries.length]).to.deep.equal([1, 0]);
  });

  it('redacts secrets in a summary and truncates a long one', async () => {
    const finishing: ModelChunk[] = [{ type: 'text', delta: `the secret ${'x'.repeat(500)}` }, finish];
    const own: Model = () => of(...finishing);
    const host: HookHost = { models: { m: own }, redact: (text) => text.replaceAll('secret', '***') };
    const { agent, model } = scene({ ...small, summary: { model: 'm', maxTokens: 200 } }, { host });
    await agent.call('go', { sessionId: 's' });
    const said = lastRequest(model)[2]?.split('\n')[1];
    expect(said).to.match(/^the \*\*\* x+$/);
    expect(said).to.have.lengthOf(197);
  });

  it('drops messages without a summary if summaries are off', async () => {
    const { agent, model, notes } = scene({ ...small, summary: false });
    await agent.call('go', { sessionId: 's' });
    expect(lastRequest(model)[2]).to.match(/^user: \[The first \d+ messages are omitted.\]$/);
    expect(model.summaries).to.deep.equal([]);
    expect(notes.map(({ code }) => code)).to.deep.equal(['context-compressed']);
  });

  it('continues without a summary when the model fails or returns no text, and logs it', async () => {
    for (const fails of [throwError(() => new Error('overloaded')), of<ModelChunk[]>(finish)]) {
      const model = watched();
      const failing: Model = (request, context) =>
        textOf(request.messages[0]).startsWith('You summarise') ? fails : model(request, context);
      const { agent, lines } = scene(small, {
        model: Object.assign(failing, { requests: model.requests, summaries: [] }),
      });
      expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('completed');
      expect(lines.join()).to.match(/dropped \d+ old messages without a summary: (overloaded|the model gave no text)/);
      expect(lastRequest(model)[2]).to.match(/\[\d+ messages are missing in this summary.\]/);
    }
  });

  it('waits for a summary only until its timeout', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    scheduler.run(() => {
      const hook = autoContext({ ...small, summary: { maxTokens: 200, timeoutMs: 2_000 } }, { countTokens: byLetter });
      const log = { debug() {}, info() {}, error() {}, warn: (_: object, message: string) => void told.push(message) };
      const model: Model = (request) =>
        textOf(request.messages[0]).startsWith('You summarise')
          ? NEVER
          : of<ModelChunk[]>({ type: 'text', delta: 'ok' }, finish);
      const run = createPipeline([hook], { scheduler, log: log as never }).start({ agent: 'a' });
      run.reason({ messages: longTalk(20) }, model).subscribe({
        complete: () => told.push(`done at ${scheduler.now()}`),
      });
    });
    expect(told[0]).to.match(/dropped \d+ old messages without a summary/);
    expect(told[1]).to.equal('done at 2000');
  });

  it('continues when the store fails or does not answer, and logs it once', async () => {
    const fails = () => throwError(() => new Error('disk full'));
    const store = { get: fails, set: fails, add: fails, expire: fails, list: fails, remove: fails } as never;
    const { agent, model, lines } = scene(small, { host: { store } });
    await agent.call('go', { sessionId: 's' });
    await agent.call('go', { sessionId: 's' });
    expect(lines.filter((one) => one.includes('the store failed'))).to.have.lengthOf(1);
    expect(lastRequest(model)[2]).to.include('summary');

    const scheduler = new TestScheduler(() => {});
    let asked = 0;
    scheduler.run(() => {
      const silent = autoContext(small, { countTokens: byLetter, store: { ...memoryStateStore(), get: () => NEVER } });
      const run = createPipeline([silent], { scheduler, log: { debug() {}, info() {}, error() {}, warn() {} } }).start({
        agent: 'a',
      });
      run.reason({ messages: [userMessage('go')] }, watched()).subscribe({ complete: () => (asked = scheduler.now()) });
    });
    expect(asked).to.equal(10_000);
  });

  it('retries with less if the provider rejects a request as too long, and keeps that size', async () => {
    const overflow = 'This model has a maximum context length of 3000 tokens. However, your messages resulted in 4100.';
    for (const [error, refusals, outcome] of [
      [overflow, 2, 'completed'],
      [overflow, 9, 'failed'],
      ['Rate limit reached: too many tokens per minute', 1, 'failed'],
    ] as const) {
      const model = watched();
      let asked = 0;
      const strict: Model = (request, context) => {
        if (textOf(request.messages[0]).startsWith('You summarise')) return model(request, context);
        asked += 1;
        const given = model(request, context);
        return asked <= refusals ? throwError(() => new Error(error)) : given;
      };
      const own = Object.assign(strict, { requests: model.requests, summaries: model.summaries });
      const { agent, notes } = scene({ ...small, maxTokens: 6_000 }, { model: own });
      const ended = await agent.call('go', { sessionId: 's' });
      expect([error, ended.outcome]).to.deep.equal([error, outcome]);
      if (outcome === 'failed') continue;
      const sizes = model.requests.map(({ messages }) => messages.map(line).join('').length);
      expect(sizes[1]).to.be.below((sizes[0] as number) * 0.7);
      expect(sizes[2]).to.be.below(sizes[1] as number);
      expect(notes.map(({ data }) => (data as { reason?: string }).reason)).to.include('refused');
    }
  });

  it('logs if the required parts exceed the budget', async () => {
    const { agent, lines } = scene(small);
    await agent.call('go'.repeat(2_000), { sessionId: 's' });
    expect(lines).to.include('the request exceeds its token budget, and nothing is left to shorten');
  });

  it('counts injected messages and keeps their place', async () => {
    const hint = defineHook({
      name: 'hint',
      on: {
        preReasoning: (event) => ({
          ...event,
          messages: [systemMessage('x'.repeat(400)), ...event.messages, userMessage('Be brief.')],
        }),
      },
    });
    const { agent, model } = scene({ ...small, summary: false }, { more: [hint] });
    await agent.call('go', { sessionId: 's' });
    const request = model.requests.at(-1)?.messages ?? [];
    expect(request.map(line).at(-1)).to.equal('user: Be brief.');
    expect(textOf(request[0])).to.have.lengthOf(400);
    expect(request.map(line).join('').length).to.be.below(1_700);
  });

  describe('with offloaded results', () => {
    const offloading: AutoContextOptions = { ...small, offload: true, offloadFrom: 500, keepChars: 60 };
    const idIn = (model: Seen) =>
      /read_result with the ID ([0-9a-f]{16})/.exec(lastRequest(model).join('\n'))?.[1] as string;

    it('lets the model read them by range, with a tool offered only if there are some', async () => {
      let id = '';
      const model: Seen = watched((nth) => {
        if (nth !== 2) return undefined;
        id = idIn(model);
        return calls(['read_result', { id, offset: 0, length: 8 }], ['read_result', { id: 'none' }]);
      });
      const { agent, loaded } = scene({ ...offloading, maxTokens: 9_000 }, { model, turns: 2, size: 3_000 });
      await agent.call('short', { sessionId: 's' });
      expect(model.requests[0]?.tools.map(({ name }) => name)).to.deep.equal(['look']);
      expect(id).to.equal('');
      await agent.call('x'.repeat(3_000), { sessionId: 's' });
      expect(model.requests[1]?.tools.map(({ name }) => name)).to.deep.equal(['look', 'read_result']);
      expect(lastRequest(model).join('\n')).to.include('[The full result has 3000 characters. To read more');
      const results = loaded().slice(-2, -1).map(line);
      expect(results[0]).to.match(/\[Characters 0 to 8 of 3000.\]\n\d:xxxxxx/);
      expect(results[0]).to.include('There is no result with the ID none in this session.');
    });

    it('keeps them redacted and for their session only', async () => {
      const store = memoryStateStore();
      const host: HookHost = { store, redact: (text) => text.replaceAll('x', '*') };
      const model: Seen = watched((nth) => (nth === 1 ? calls(['read_result', { id: idIn(model) }]) : undefined));
      const { agent, loaded } = scene(offloading, { model, host, turns: 3, size: 1_500 });
      await agent.call('go', { sessionId: 's' });
      expect(line(loaded().at(-2)!)).to.match(/\]\n\d:\*{1498}$/);
      const id = idIn(model);
      const other: Seen = watched((nth) => (nth === 1 ? calls(['read_result', { id }]) : undefined));
      const next = createAgent({ name: 'a', model: other, pipeline: createPipeline([autoContext(offloading, host)]) });
      await next.call('go', { sessionId: 's2' });
      expect(lastRequest(other).join()).to.include('There is no result with the ID');
    });

    it('drops those that no message refers to', async () => {
      const store = memoryStateStore();
      const count = async () => {
        let found = 0;
        store.list([]).subscribe((keys) => (found = keys.filter((key) => key.includes('result')).length));
        return found;
      };
      const { agent } = scene({ ...offloading, keepLast: 4 }, { host: { store }, turns: 3, size: 1_500 });
      await agent.call('go', { sessionId: 's' });
      expect(await count()).to.be.greaterThan(0);
      await agent.call('x'.repeat(2_400), { sessionId: 's' });
      expect(await count()).to.equal(0);
    });
  });

  it('drops the state of a sub-agent when it ends', async () => {
    const store = memoryStateStore();
    const inner = createAgent({
      name: 'inner',
      model: watched((nth) => (nth < 8 ? calls(['look', {}]) : undefined)),
      tools: [scriptedTool({ name: 'look', permission: 'read', result: 'y'.repeat(800) })],
    });
    const model = watched((nth) => (nth === 1 ? calls(['inner', { prompt: 'help' }]) : undefined));
    const seen: string[] = [];
    const watching = {
      ...store,
      set: (...args: Parameters<typeof store.set>) => {
        seen.push(args[0][2] as string);
        return store.set(...args);
      },
    };
    const pipeline = createPipeline([
      autoContext({ ...small, keepLast: 2 }, { countTokens: byLetter, store: watching }),
    ]);
    const agent = createAgent({ name: 'a', model, tools: [agentTool(inner, { description: 'helps' })], pipeline });
    await agent.call('go', { sessionId: 's' });
    await pipeline.flush();
    expect(seen).to.include('inner');
    store.list([]).subscribe((keys) => expect(keys).to.deep.equal([]));
  });

  it('sends the same request on a retry and shrinks right after calls', async () => {
    const again = defineHook({
      name: 'again',
      on: {
        error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : event) as never,
      },
    });
    const model = watched((nth) => (nth === 2 ? calls(['look', {}], ['look', {}], ['look', {}]) : undefined));
    let asked = 0;
    const failing: Model = (request, context) => {
      asked += 1;
      const given = model(request, context);
      return asked === 2 ? throwError(() => new Error('overloaded')) : given;
    };
    const own = Object.assign(failing, { requests: model.requests, summaries: model.summaries });
    const { agent } = scene(small, { model: own, more: [again] });
    expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('completed');
    const [first, second, third] = model.requests.map(({ messages }) => messages.map(line));
    expect(second).to.deep.equal(first);
    expect(model.summaries).to.have.lengthOf(1);
    expect(third?.slice(0, first?.length)).to.deep.equal(first);
    expect(third?.slice(first?.length).map((text) => text.slice(0, 6))).to.deep.equal(['assist', 'tool: ']);
  });

  it('keeps its summary when another process resumes a suspended run', async () => {
    const host = { store: memoryStateStore() };
    const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') });
    const first = scene(small, { model: watched(() => calls(['look', {}])), host, more: [ask] });
    const { snapshot } = await first.agent.call('go', { sessionId: 's' });
    const parsed = JSON.parse(JSON.stringify(snapshot));
    const second = scene(small, { host, more: [ask] });
    second.transcript.truncate('s', 0);
    second.transcript.append('s', parsed.transcript);
    const events: string[] = [];
    await new Promise<void>((done) =>
      second.agent
        .resume(parsed, { [parsed.pending[0].key]: { approved: true } })
        .subscribe({ next: ({ type }) => events.push(type), complete: done }),
    );
    expect(events).to.include('postActing');
    expect(second.model.summaries).to.deep.equal([]);
    expect(lastRequest(second.model)[2]).to.equal(lastRequest(first.model)[2]);
  });

  it('asks no model and stores nothing in a dry run', async () => {
    const { transcript } = scene(small);
    const model = watched();
    const pipeline = createPipeline([autoContext(small, { countTokens: byLetter })]);
    const run = pipeline.start({ agent: 'a', dryRun: true });
    run.reason({ messages: transcript.load('s') as never }, model).subscribe();
    expect(model.summaries).to.deep.equal([]);
  });

  it('rejects invalid options', () => {
    for (const [options, issue] of [
      [{ maxTokens: 0 }, /maxTokens/],
      [{ shrinkTo: 1 }, /shrinkTo/],
      [{ offloadFrom: 300 }, /offloadFrom: must be greater than keepChars \(400\)/],
      [
        { maxTokens: 1_000 },
        /summary\.maxTokens: must be at most half of the size that a request shrinks to \(600 tokens\)/,
      ],
      [{ toolName: 'a b' }, /toolName/],
      [{ tokens: 5 }, /"tokens"/],
    ] as const)
      expect(() => autoContext(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('reports each invalid option once and skips comparisons with it', () => {
    for (const options of [{ maxTokens: 0 }, { shrinkTo: 0 }, { keepChars: -1 }])
      expect(autoContextOptionsSchema.safeParse(options).error?.issues, JSON.stringify(options)).to.have.length(1);
  });

  it('keeps the hook contract', async () => {
    await hookContract(autoContext({}, { countTokens: byLetter }));
    await hookContract(autoContext(small, { countTokens: byLetter }));
    await new Promise((done) => timer(0).subscribe(done));
  });
});
