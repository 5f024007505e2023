import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { concat, delay, map, mergeMap, NEVER, type Observable, of, retry, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { StreamPiece, StreamSink } from '../../../lib/hooks/streaming/stream-piece.ts';
import { streaming } from '../../../lib/hooks/streaming/streaming.ts';
import type { StreamingOptions } from '../../../lib/hooks/streaming/streaming-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { tempFolder } from '../../temp-folder.ts';

const text = (delta: string): ModelChunk => ({ type: 'text', delta });
/** Streams these texts, one every 10 ms. */
const says = (...deltas: string[]): Observable<ModelChunk> =>
  of(...deltas).pipe(mergeMap((delta, index) => timer(10 * (index + 1)).pipe(map(() => text(delta)))));
const call = (name: string): Observable<ModelChunk> =>
  of<ModelChunk[]>(
    { type: 'thinking', delta: 'hm' },
    { type: 'toolInput', toolCallId: 'c', delta: '{}' },
    { type: 'toolCall', toolCall: { id: 'c', name, input: { prompt: 'x' } } },
  );
const work = defineTool({
  name: 'work',
  description: 'Works.',
  inputSchema: { type: 'object' },
  execute: () => of('a', 'b').pipe(mergeMap((one, index) => timer(10 * (index + 1)).pipe(map(() => one)))),
});

interface Scene {
  readonly answers: readonly Observable<ModelChunk>[];
  readonly more?: readonly Hook[];
  readonly tools?: Parameters<typeof createAgent>[0]['tools'];
}

/** The pieces of a run that a sink receives, with times, in virtual time. */
function streamed(options: StreamingOptions, { answers, more = [], tools = [work] }: Scene) {
  const pieces: StreamPiece[] = [];
  const lines: string[] = [];
  const scheduler = new TestScheduler(() => {});
  scheduler.run(() => {
    const hook = streaming(options, (piece) => {
      pieces.push(piece);
      lines.push(`${scheduler.now()} ${piece.text}${piece.last ? '|' : ''}`);
    });
    let asked = 0;
    const model: Model = () => answers[asked++] as Observable<ModelChunk>;
    const agent = createAgent({ name: 'a', model, tools, pipeline: createPipeline([hook, ...more], { scheduler }) });
    agent.run('go').subscribe();
  });
  return { pieces, lines };
}

describe('streaming', () => {
  it('sends new text piece by piece, and the end of a block', () => {
    const { lines, pieces } = streamed({}, { answers: [says('a', 'b', 'c')] });
    expect(lines).to.deep.equal(['10 a', '20 b', '30 c', '30 |']);
    expect(pieces[0]).to.deep.include({ iteration: 1, part: 'text', block: '1 0', attempt: 1, last: false });
    expect(pieces[0]?.run).to.include({ agent: 'a', depth: 0 });
  });

  it('sends all text of a block so far in cumulative mode', () =>
    expect(streamed({ mode: 'cumulative' }, { answers: [says('a', 'b', 'c')] }).lines).to.deep.equal([
      '10 a',
      '20 ab',
      '30 abc',
      '30 abc|',
    ]));

  it('joins text by time and size', () => {
    const answers = [says('a', 'b', 'c', 'd', 'e')];
    expect(streamed({ everyMs: 25 }, { answers }).lines).to.deep.equal(['35 abc', '50 de|']);
    expect(streamed({ everyMs: 25, chars: 2 }, { answers }).lines).to.deep.equal(['20 ab', '40 cd', '50 e|']);
    const cumulative = streamed({ everyMs: 25, mode: 'cumulative' }, { answers }).lines;
    expect(cumulative).to.deep.equal(['35 abc', '50 abcde|']);
  });

  it('sends the configured parts and the progress of tools', () => {
    const answers = [call('work'), says('done')];
    const of$ = (...parts: NonNullable<StreamingOptions['parts']>) =>
      streamed({ parts }, { answers }).pieces.flatMap((piece) => (piece.text ? [`${piece.part} ${piece.text}`] : []));
    expect(of$('text')).to.deep.equal(['text done']);
    expect(of$('thinking', 'toolInput')).to.deep.equal(['thinking hm', 'toolInput {}']);
    const { pieces } = streamed({ parts: ['toolProgress'] }, { answers });
    expect(pieces.map((piece) => piece.text)).to.deep.equal(['a', 'b', '']);
    expect(pieces[0]).to.deep.include({ block: 'call c', toolCallId: 'c', tool: 'work' });
  });

  it('marks a further attempt by its number and sends nothing more of the previous one', () => {
    const again = defineHook({ name: 'again', around: { reasoning: (_, next) => next().pipe(retry(1)) } });
    const lost = concat(
      says('half'),
      throwError(() => new Error('lost')),
    );
    const { pieces } = streamed({ everyMs: 50, mode: 'cumulative' }, { answers: [lost, says('whole')], more: [again] });
    expect(pieces.map(({ attempt, text: said, last }) => [attempt, said, last])).to.deep.equal([[2, 'whole', true]]);
  });

  it('sends chunks after the changes of stages', () => {
    const loud = defineHook({
      name: 'loud',
      on: { reasoningChunk: (event) => ({ ...event, delta: event.delta.toUpperCase() }) },
    });
    expect(streamed({}, { answers: [says('a')], more: [loud] }).lines).to.deep.equal(['10 A', '10 |']);
  });

  it('sends text of sub-agents too, unless agents are configured', () => {
    const child = () => createAgent({ name: 'child', model: () => says('in') });
    const tools = () => [agentTool(child(), { description: 'helps' })];
    const answers = [call('child'), says('out')];
    const agents = (options: StreamingOptions) =>
      streamed(options, { answers, tools: tools() }).pieces.flatMap(({ run, text: said }) => (said ? [run.agent] : []));
    expect(agents({})).to.deep.equal(['child', 'a']);
    expect(agents({ agents: ['ch*'] })).to.deep.equal(['child']);
  });

  it('ends the blocks of a run that is cut off', async () => {
    const pieces: StreamPiece[] = [];
    const model: Model = () => concat(of(text('half')), NEVER);
    const pipeline = createPipeline([streaming({ everyMs: 60_000 }, (piece) => void pieces.push(piece))]);
    const controller = new AbortController();
    createAgent({ name: 'a', model, pipeline })
      .run('go', { signal: controller.signal })
      .subscribe(({ type }) => type === 'reasoningChunk' && controller.abort());
    expect(pieces.map(({ text: said, last }) => [said, last])).to.deep.equal([['half', true]]);
  });

  describe('with a slow sink', () => {
    /** Runs with a slow sink. `open` lets it continue. */
    async function slow(options: StreamingOptions, deltas: readonly string[]) {
      const got: string[] = [];
      let open = () => {};
      const sink: StreamSink = (piece) => {
        got.push(`${piece.text}${piece.last ? '|' : ''}${piece.lost ? ` -${piece.lost}` : ''}`);
        return got.length === 1 ? new Promise<void>((resolve) => (open = resolve)) : undefined;
      };
      const warned: string[] = [];
      const line = (_: unknown, said: string) => void warned.push(said);
      const log = { debug() {}, info() {}, warn: line, error: line };
      const pipeline = createPipeline([streaming(options, sink)], { log: log as never });
      const agent = createAgent({ name: 'a', model: () => of(...deltas.map(text)), pipeline });
      const { outcome } = await agent.call('go');
      return { got, outcome, warned, pipeline, open: () => open() };
    }

    it('never delays the run and joins waiting text', async () => {
      const { got, outcome, pipeline, open } = await slow({}, ['a', 'b', 'c']);
      expect([outcome, ...got]).to.deep.equal(['completed', 'a']);
      open();
      await pipeline.flush();
      expect(got).to.deep.equal(['a', 'bc|']);
    });

    it('drops text beyond the waiting limit and counts it', async () => {
      const { got, pipeline, open, warned } = await slow({ maxWaitingChars: 3 }, ['a', 'bb', 'cc', 'd']);
      open();
      await pipeline.flush();
      expect(got).to.deep.equal(['a', 'bb', 'd| -2']);
      expect(warned).to.deep.equal(['streamed text did not reach its sink and is lost']);
    });

    it('sends the end of a block even without room for its text', async () => {
      const { got, pipeline, open } = await slow({ maxWaitingChars: 3, mode: 'cumulative' }, ['a', 'bbbb', 'c']);
      open();
      await pipeline.flush();
      expect(got).to.deep.equal(['a', '| -5']);
    });

    it('delays the exit of a process only up to its limit', async () => {
      const { pipeline, warned } = await slow({ flushMs: 10 }, ['a', 'b']);
      await pipeline.flush();
      expect(warned).to.deep.equal(['a sink did not finish within 0.01 s']);
    });
  });

  it('continues if the sink fails, and logs it once', async () => {
    const sinks: StreamSink[] = [
      () => {
        throw new Error('gone');
      },
      () => Promise.reject(new Error('gone')),
      () => throwError(() => new Error('gone')).pipe(delay(0)),
    ];
    for (const sink of sinks) {
      const lines: unknown[] = [];
      const error = (fields: unknown) => void lines.push((fields as { lost: number }).lost);
      const log = { debug() {}, info() {}, warn() {}, error };
      const pipeline = createPipeline([streaming({}, sink)], { log: log as never });
      const { outcome } = await createAgent({ name: 'a', model: scriptedModel(['one', 'two']), pipeline }).call('go');
      await pipeline.flush();
      expect([outcome, ...lines]).to.deep.equal(['completed', 3]);
    }
  });

  it('appends JSON lines to an owner-only file and creates its folder', async () => {
    const file = join(tempFolder('stream'), 'new', 'stream.jsonl');
    const pipeline = createPipeline([streaming({ file })]);
    await createAgent({ name: 'a', model: scriptedModel(['one']), pipeline }).call('go', { sessionId: 's' });
    await pipeline.flush();
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const told = lines.map((line) => JSON.parse(line));
    expect(told.map(({ text: said }) => said).join('')).to.equal('one');
    expect(told.at(-1)).to.include({ sessionId: 's', agent: 'a', part: 'text', last: true });
  });

  it('rejects invalid options', () => {
    const code = 'OPTIONS_INVALID';
    expect(() => streaming({}))
      .to.throw('needs a sink')
      .with.property('code', code);
    expect(() => streaming({ parts: [] }, () => {}))
      .to.throw('parts: must contain at least one part')
      .with.property('code', code);
  });

  it('keeps the hook contract', () => hookContract(streaming({}, () => {})));
});
