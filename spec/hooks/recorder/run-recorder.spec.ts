import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { asyncScheduler, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { deny } from '../../../lib/events/decisions/deny.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { type RecorderOptions, runRecorder } from '../../../lib/hooks/recorder/run-recorder.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool, type Tool } from '../../../lib/pipeline/define/tool.ts';
import { describeEvent } from '../../../lib/testing/describe-event.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { recordedRun } from '../../../lib/testing/recorded-run.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';
import { tempFolder } from '../../temp-folder.ts';

/** Has the shape of a credential but is not one. */
const secret = ['AKIA', 'QWERTYUIOPASDFGH'].join('');

const look = scriptedTool({ name: 'look', permission: 'read', result: ({ at }: never) => `seen ${at}` });
const fail = scriptedTool({ name: 'fail', permission: 'read', error: 'no such thing' });
const calls = (...named: [string, object][]) => ({
  text: 'Let me see.',
  toolCalls: named.map(([name, input]) => ({ name, input: input as never })),
  usage: { inputTokens: 10, outputTokens: 5 },
});
const noDanger = defineHook({
  name: 'no-danger',
  on: { preActing: (event) => (event.toolCall.name === 'danger' ? deny(event, 'not today') : undefined) },
});

type Turns = Parameters<typeof scriptedModel>[0];

/** A run that is recorded to a separate folder. */
async function record(
  turns: Turns,
  {
    options = {} as RecorderOptions,
    more = [] as readonly Hook[],
    tools = [look, fail] as readonly Tool[],
    input = 'go',
  } = {},
) {
  const folder = tempFolder('recordings');
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const log = { debug() {}, info() {}, warn: line, error: line };
  const pipeline = createPipeline([runRecorder({ folder, ...options }), noDanger, ...more], { log });
  const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools, pipeline, maxIterations: 50 });
  const events = (await firstValueFrom(agent.run(input, { sessionId: 's' }).pipe(toArray()))) as SettledEvent[];
  const files = () =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
  return { folder, files, events, agent, lines, text: () => readFileSync(files()[0] as string, 'utf8') };
}

describe('runRecorder', () => {
  const turns: Turns = [
    calls(['look', { at: 'a' }], ['look', { at: 'b' }], ['danger', {}]),
    { thinking: 'Hm.', ...calls(['fail', {}]) },
    { chunks: ['All ', 'done.'] },
  ];

  it('records every event and its trace, one line each, in an owner-only file', async () => {
    const { files, events } = await record(turns, { options: { redact: false } });
    const [file] = files() as [string];
    const read = recordedRun(file);
    expect(read.reports.map(({ event }) => event)).to.deep.equal(events);
    expect(read.run).to.deep.equal(events[0]?.run);
    expect([read.lost, read.complete]).to.deep.equal([0, true]);
    const denied = read.reports.find(({ event }) => event.type === 'preActing' && event.toolCall.name === 'danger');
    expect(denied?.steps.map(({ hook, effect, decision }) => [hook, effect, decision])).to.deep.equal([
      ['no-danger', 'decided', 'deny'],
    ]);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] as string)).to.include({
      format: 'hookline-recording',
      version: 1,
      redacted: false,
    });
  });

  it('writes a recording that replays the same run', async () => {
    const { files, events } = await record(turns, { options: { redact: false } });
    const { model, tools, input } = recordedRun(files()[0] as string);
    const again = createAgent({ name: 'a', model, tools, pipeline: createPipeline([noDanger]) });
    const played = (await firstValueFrom(again.run(input).pipe(toArray()))) as SettledEvent[];
    const told = (list: readonly SettledEvent[]) =>
      list.filter(({ type }) => type !== 'reasoningChunk').map((event) => describeEvent(event));
    expect(told(played)).to.deep.equal(told(events));
  });

  it('replays a failed model and skips answers of hooks', async () => {
    const again = defineHook({
      name: 'again',
      on: {
        error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : event) as never,
      },
    });
    const { files } = await record([{ error: 'overloaded' }, 'ok'], { more: [again] });
    const { model } = recordedRun(files()[0] as string);
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([again]) });
    expect((await agent.call('go')).outcome).to.equal('completed');
    expect(model.requests).to.have.lengthOf(2);
    const answering = defineHook({
      name: 'answering',
      on: {
        preReasoning: (event) =>
          ({ ...event, decision: { action: 'respond', message: { role: 'assistant', parts: [] } } }) as never,
      },
    });
    const other = await record(['never'], { more: [answering] });
    const replay = recordedRun(other.files()[0] as string).model;
    expect((await createAgent({ name: 'a', model: replay }).call('go')).reason).to.include('has 0 turns');
  });

  it('reads the same events from the file for any run', async () => {
    const turn = fc.oneof(
      fc.string().map((text) => ({ text })),
      fc.array(fc.string(), { maxLength: 4 }).map((chunks) => ({ chunks })),
      fc.record({ at: fc.string() }).map((input) => calls(['look', input], ['fail', {}])),
      fc.string().map((error) => ({ error })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 5 }), async (some) => {
        const { files, events } = await record(some, { options: { redact: false } });
        expect(recordedRun(files()[0] as string).reports.map(({ event }) => event)).to.deep.equal(events);
      }),
      { numRuns: 40 },
    );
  });

  it('redacts secrets, also those split between chunks, unless disabled', async () => {
    const told: Turns = [{ chunks: ['The key is ', secret.slice(0, 7), secret.slice(7), ', see.'] }];
    const reveal = defineHook({
      name: 'reveal',
      on: { preActing: (event) => (event.toolCall.name === 'look' ? deny(event, `no ${secret}`) : undefined) },
    });
    for (const [script, more] of [
      [told, []],
      [[calls(['look', { at: secret }]), 'ok'], [reveal]],
    ] as const) {
      const clean = await record(script as Turns, { more, input: `mine is ${secret}` });
      expect(clean.text()).to.not.include(secret);
      expect(clean.text()).to.include('REDACTED');
      const open = await record(script as Turns, { more, input: `mine is ${secret}`, options: { redact: false } });
      expect(open.text()).to.include(secret);
    }
    const { files, text } = await record(told);
    expect(text()).to.not.include(secret.slice(0, 7));
    const chunks = recordedRun(files()[0] as string).reports.flatMap(({ event }) =>
      event.type === 'reasoningChunk' ? [event.delta] : [],
    );
    expect(chunks.join('')).to.match(/^The key is \[REDACTED:.*\], see\.$/);
  });

  it('redacts secrets in metadata and in the trace', async () => {
    const folder = tempFolder('recordings');
    const broken = defineHook({
      name: 'broken',
      onFailure: 'skip',
      on: {
        preReasoning() {
          throw new Error(`cannot use ${secret}`);
        },
      },
    });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const pipeline = createPipeline([runRecorder({ folder }), broken], { log });
    const agent = createAgent({ name: 'a', model: scriptedModel(['ok']), pipeline });
    await agent.call('go', { metadata: { key: secret } });
    const text = readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8');
    expect(text).to.not.include(secret);
    expect(text).to.include('cannot use [REDACTED').and.include('"key":"[REDACTED');
  });

  it('writes a long conversation once, not per model request', async () => {
    const many = Array.from({ length: 40 }, (_, at) => calls(['look', { at: `${at}`.padEnd(500, 'x') }]));
    const { files, events } = await record(many, { options: { redact: false } });
    expect(events.filter(({ type }) => type === 'preReasoning').length).to.be.greaterThan(9);
    const size = statSync(files()[0] as string).size;
    const whole = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    expect(size).to.be.below(whole / 2);
    expect(recordedRun(files()[0] as string).reports.map(({ event }) => event)).to.deep.equal(events);
  });

  it('separates runs and keeps sub-agents with their parent run', async () => {
    const folder = tempFolder('recordings');
    const child = createAgent({ name: 'child', model: scriptedModel(['one', 'two']), tools: [look] });
    const pipeline = createPipeline([runRecorder({ folder })]);
    const tools = [agentTool(child, { description: 'helps' })];
    const run = () =>
      createAgent({ name: 'a', model: scriptedModel([calls(['child', { prompt: 'help' }]), 'done']), tools, pipeline });
    await Promise.all([run().call('first'), run().call('second')]);
    const found = readdirSync(folder).map((name) => recordedRun(join(folder, name)));
    expect(found.map(({ complete }) => complete)).to.deep.equal([true, true]);
    expect(found.map(({ input }) => JSON.stringify(input).includes('first')).sort()).to.deep.equal([false, true]);
    for (const { reports, run: own } of found) {
      const runs = new Set(reports.map(({ event }) => event.run.runId));
      expect(runs.size).to.equal(2);
      for (const { event } of reports) expect([event.run.runId, event.run.parentRunId]).to.include(own.runId);
    }
  });

  it('keeps the newest recordings up to the limit, and other files in the folder', async () => {
    const folder = tempFolder('recordings');
    writeFileSync(join(folder, 'notes.jsonl'), 'mine');
    let time = 0;
    const now = () => (time += 1_000);
    const scheduler = Object.assign(Object.create(asyncScheduler), { now });
    const pipeline = createPipeline([runRecorder({ folder, keep: 2 })], { scheduler });
    const agent = createAgent({ name: 'a', model: scriptedModel(['1', '2', '3', '4']), pipeline });
    for (const text of ['one', 'two', 'three', 'four']) await agent.call(text);
    const names = readdirSync(folder)
      .filter((name) => name !== 'notes.jsonl')
      .sort();
    expect(readdirSync(folder)).to.have.lengthOf(3);
    const asked = names.map((name) => JSON.stringify(recordedRun(join(folder, name)).input));
    expect(asked.join()).to.match(/three.*four/);
  });

  it('keeps the recordings of active runs', async () => {
    const folder = tempFolder('recordings');
    const pipeline = createPipeline([runRecorder({ folder, keep: 1 })]);
    const other = createAgent({ name: 'b', model: scriptedModel(['1', '2']), pipeline });
    const nest = defineTool({
      name: 'nest',
      description: 'Runs others.',
      inputSchema: { type: 'object' },
      async execute() {
        await other.call('one');
        await other.call('two');
      },
    });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([calls(['nest', {}]), 'done']),
      tools: [nest],
      pipeline,
    });
    await agent.call('outer');
    const found = readdirSync(folder).map((name) => recordedRun(join(folder, name)));
    const outer = found.find(({ run }) => run.agent === 'a');
    expect([outer?.complete, outer?.lost]).to.deep.equal([true, 0]);
  });

  it('does not recreate a deleted recording', async () => {
    const folder = tempFolder('recordings');
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const remove = () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    };
    const gone = defineHook({ name: 'gone', on: { preReasoning: remove } });
    const pipeline = createPipeline([runRecorder({ folder }), gone], { log });
    await createAgent({ name: 'a', model: scriptedModel(['ok']), pipeline }).call('go');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('counts lines beyond the size limit and still records the end of the run', async () => {
    const many = Array.from({ length: 8 }, () => calls(['look', { at: 'x'.repeat(1_000) }]));
    const { files, events } = await record([...many, 'done'], { options: { maxBytes: 6_000 } });
    const read = recordedRun(files()[0] as string);
    expect(read.lost + read.reports.length).to.equal(events.length);
    expect(read.lost).to.be.greaterThan(10);
    expect(read.reports.at(-1)?.event.type).to.equal('postCall');
    expect(statSync(files()[0] as string).size).to.be.below(12_000);
  });

  it('loses at most the last line in a crash', () => {
    const folder = tempFolder('recordings');
    const child = join(__dirname, 'recording-child.ts');
    const { signal } = spawnSync(process.execPath, ['-C', 'hookline:source', '-r', 'ts-node/register', child, folder]);
    expect(signal).to.equal('SIGKILL');
    const read = recordedRun(join(folder, readdirSync(folder)[0] as string));
    expect(read.complete).to.equal(false);
    expect(read.reports.at(-1)?.event.type).to.equal('preActing');
  });

  it('can be read when truncated at any byte after its head', async () => {
    const { files } = await record([calls(['look', { at: 'ä€😀' }]), 'done']);
    const [file] = files() as [string];
    const bytes = readFileSync(file);
    const head = bytes.indexOf(10) + 1;
    const whole = recordedRun(file).reports;
    const cut = join(tempFolder('cut'), 'cut.jsonl');
    fc.assert(
      fc.property(fc.integer({ min: head, max: bytes.length }), (end) => {
        writeFileSync(cut, bytes.subarray(0, end));
        const { reports } = recordedRun(cut);
        expect(reports).to.deep.equal(whole.slice(0, reports.length));
      }),
    );
  });

  it('logs a write failure once, counts missing lines, and the run continues', async () => {
    const folder = tempFolder('recordings');
    const lines: string[] = [];
    const error = (_: object, message?: string) => lines.push(message ?? '');
    const log = { debug() {}, info() {}, warn() {}, error };
    const gone = defineHook({ name: 'gone', on: { preReasoning: () => rmSync(folder, { recursive: true }) } });
    const pipeline = createPipeline([runRecorder({ folder }), gone], { log: log as never });
    const agent = createAgent({ name: 'a', model: scriptedModel(['ok']), pipeline });
    expect((await agent.call('go')).outcome).to.equal('completed');
    expect(lines).to.deep.equal(['a run could not be recorded; events are missing']);
    const onFile = runRecorder({ folder: __filename });
    const other = createAgent({
      name: 'a',
      model: scriptedModel(['ok']),
      pipeline: createPipeline([onFile], { log: log as never }),
    });
    expect((await other.call('go')).outcome).to.equal('completed');
    expect(lines).to.have.lengthOf(2);
  });

  it('records a resumed run separately, with the id of the original run', async () => {
    const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('May it?') });
    const { agent, events, files } = await record([calls(['look', { at: 'a' }]), 'done'], { more: [ask] });
    const { snapshot } = events.at(-1) as never as { snapshot: { pending: { key: string }[] } };
    await lastValueFrom(agent.resume(snapshot as never, { [snapshot.pending[0]?.key as string]: { approved: true } }));
    const [first, second] = files()
      .map((file) => recordedRun(file))
      .sort((a) => (a.run.resumedFrom ? 1 : -1));
    expect(second?.run.resumedFrom).to.equal(first?.run.runId);
    expect([first?.complete, second?.complete]).to.deep.equal([true, true]);
  });

  it('records less if configured, and nothing in a dry run', async () => {
    const { files } = await record(turns, { options: { chunks: false, trace: false } });
    const { reports } = recordedRun(files()[0] as string);
    expect(reports.map(({ event }) => event.type)).to.not.include('reasoningChunk');
    expect(reports.flatMap(({ steps }) => steps)).to.deep.equal([]);
    const folder = tempFolder('recordings');
    const run = createPipeline([runRecorder({ folder })]).start({ agent: 'a', dryRun: true });
    await lastValueFrom(run.act({ id: 'c', name: 'look', input: {} }, [look]));
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('requires a folder', () => {
    expect(() => runRecorder())
      .to.throw('The hook "recorder" needs a directory for its files, and the host does not provide one.')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => runRecorder({ keep: 0 })).to.throw('keep');
    expect(runRecorder({}, { stateFolder: tempFolder('state') }).name).to.equal('recorder');
  });

  it('keeps the hook contract', () => hookContract(runRecorder({ folder: tempFolder('recordings') })));
});

describe('recordedRun', () => {
  it('reports an invalid file with the place', async () => {
    const { files, folder } = await record(['ok']);
    const lines = readFileSync(files()[0] as string, 'utf8').split('\n');
    const head = JSON.parse(lines[0] as string);
    const file = join(folder, 'other.jsonl');
    const going = JSON.stringify({ ...JSON.parse(lines[2] as string), same: { messages: 3, tools: false } });
    for (const [text, issue] of [
      ['', 'line 1 is not the head of a recording'],
      ['{"a":1}\n', 'line 1 is not the head of a recording'],
      [
        `${JSON.stringify({ ...head, version: 2 })}\n`,
        'line 1 has version 2 with events of version 1; this Hookline reads 1',
      ],
      [`${lines[0]}\nnot json\n${lines[1]}\n`, 'line 2 is not JSON'],
      [`${lines[0]}\n{"a":1}\n`, 'line 2 is not a line of a recording'],
      [`${lines[0]}\n{"event":{"type":"preCall"}}\n`, 'line 2 contains no event'],
      [`${lines[0]}\n${going}\n`, 'line 2 continues a model request that is missing'],
    ] as const) {
      writeFileSync(file, text);
      expect(() => recordedRun(file), issue)
        .to.throw(issue)
        .with.property('code', 'INPUT_INVALID');
    }
    expect(() => recordedRun(join(folder, 'none.jsonl'))).to.throw('none.jsonl" cannot be read: ENOENT');
  });
});
