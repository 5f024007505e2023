import { expect } from 'chai';
import { concat, delay, map, mergeMap, type Observable, of, retry, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { retry as askAgain } from '../../../lib/events/decisions/retry.ts';
import { timing } from '../../../lib/hooks/timing/timing.ts';
import type { TimingOptions } from '../../../lib/hooks/timing/timing-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
const after = (ms: number, ...chunks: ModelChunk[]) => timer(ms).pipe(mergeMap(() => of(...chunks)));
const says = (first: number, whole: number) =>
  concat(after(first, { type: 'text', delta: 'a' }), after(whole - first, { type: 'text', delta: 'b' }, finish));
const calls = (name: string, ms: number) =>
  after(ms, { type: 'toolCall', toolCall: { id: `${name}-${ms}`, name, input: { prompt: 'x' } } }, finish);
const work = (ms: number) =>
  defineTool({
    name: 'work',
    description: 'Works.',
    inputSchema: { type: 'object' },
    execute: () => timer(ms).pipe(map(() => 'done')),
  });

type Answers = readonly Observable<ModelChunk>[];
const modelOf = (modelId: string, answers: Answers): Model => {
  let asked = 0;
  return Object.assign(() => answers[asked++] as Observable<ModelChunk>, { modelId });
};

interface Scene {
  readonly options?: TimingOptions;
  readonly runs?: readonly Answers[];
  readonly more?: readonly Hook[];
  readonly tools?: Parameters<typeof createAgent>[0]['tools'];
}

/** The measurements of concurrent runs, in virtual time. */
function measured({ options, runs = [], more = [], tools = [work(40)] }: Scene) {
  const times = timing(options);
  const scheduler = new TestScheduler(() => {});
  const notes: { run: string; data: Record<string, unknown>; message: string }[] = [];
  const warnings: unknown[] = [];
  const ignore = () => {};
  scheduler.run(() => {
    const log = {
      debug: ignore,
      info: ignore,
      warn: ({ kind, name, ms, limit }: Record<string, unknown>) => warnings.push({ kind, name, ms, limit }),
      error: ignore,
    };
    const pipeline = createPipeline([times.hook, ...more], { scheduler, log: log as never });
    for (const [index, answers] of runs.entries())
      createAgent({ name: `a${index}`, model: modelOf('m', answers), pipeline, tools })
        .run('go', { sessionId: `s${index}` })
        .subscribe(({ type, run, notes: told = [] }) => {
          if (type !== 'postCall') return;
          for (const { data, message } of told) notes.push({ run: run.agent, data: data as never, message });
        });
  });
  return { notes, warnings, summary: times.summary() };
}

const once = (ms: number) => ({ count: 1, totalMs: ms, maxMs: ms, p50: ms, p95: ms, p99: ms });

describe('timing', () => {
  it('measures runs, model steps, first tokens and tools, with a note at the end', () => {
    const { notes, summary } = measured({ runs: [[calls('work', 10), says(5, 30)]] });
    const reasoning = { m: { count: 2, totalMs: 40, maxMs: 30, p50: 10, p95: 30, p99: 30 } };
    expect(notes.map(({ data }) => data)).to.deep.equal([
      { runMs: 80, reasoning, tool: { work: once(40) }, firstToken: { m: once(5) } },
    ]);
    expect(notes[0]?.message).to.equal('run 80 ms, reasoning 40 ms, tool 40 ms');
    expect(summary.run).to.deep.equal({ a0: once(80) });
    expect(summary.reasoning).to.deep.equal(reasoning);
  });

  it('measures each hook from the trace, without the wrapped step', () => {
    const slow = defineHook({
      name: 'slow',
      on: { preReasoning: (event) => of(event).pipe(delay(7)) },
      around: { reasoning: (_, next) => next() },
    });
    const { summary } = measured({ runs: [[says(5, 30)]], more: [slow], options: { hooks: true } });
    expect(summary.hook?.['slow']).to.deep.equal(once(7));
    expect(summary.reasoning?.['m']?.totalMs).to.equal(30);
  });

  it('omits stream stages, because their time is that of the stream', () => {
    const both = defineHook({
      name: 'both',
      on: { preReasoning: (event) => of(event).pipe(delay(7)) },
      through: { reasoningChunk: (chunks$) => chunks$ },
    });
    const alone = defineHook({ name: 'alone', through: { reasoningChunk: (chunks$) => chunks$ } });
    const { summary } = measured({ runs: [[says(5, 30)]], more: [both, alone], options: { hooks: true } });
    expect(summary.hook)
      .to.deep.include({ both: once(7) })
      .and.not.to.have.property('alone');
  });

  it('separates concurrent runs', () => {
    const { notes, summary } = measured({ runs: [[says(5, 30)], [calls('work', 1), says(3, 20)]] });
    const told = notes.map(({ run, data }) => [run, data['runMs'], data['firstToken']]);
    expect(told).to.deep.equal([
      ['a0', 30, { m: once(5) }],
      ['a1', 61, { m: once(3) }],
    ]);
    expect(summary.run).to.deep.equal({ a0: once(30), a1: once(61) });
  });

  it('counts sub-agents as separate runs', () => {
    const child = createAgent({ name: 'child', model: modelOf('small', [says(2, 8)]) });
    const { summary } = measured({
      runs: [[calls('child', 10), says(5, 30)]],
      tools: [agentTool(child, { description: 'helps' })],
    });
    expect(summary.run).to.deep.equal({ child: once(8), a0: once(48) });
    expect(summary.reasoning?.['small']).to.deep.equal(once(8));
  });

  it('measures an answer to the end of its last attempt, and a failed one too', () => {
    const again = defineHook({ name: 'again', around: { reasoning: (_, next) => next().pipe(retry(1)) } });
    const fails = timer(10).pipe(mergeMap(() => throwError(() => new Error('no'))));
    expect(measured({ runs: [[fails, says(5, 20)]], more: [again] }).summary.reasoning?.['m']).to.deep.equal(once(30));
    expect(measured({ runs: [[fails]] }).summary.reasoning?.['m']).to.deep.equal(once(10));
    const recover = defineHook({
      name: 'recover',
      on: { error: (event) => (event.phase === 'reasoning' ? askAgain(event) : undefined) },
    });
    const recovered = measured({ runs: [[fails, says(5, 20)]], more: [recover] }).summary;
    expect(recovered.reasoning?.['m']).to.deep.equal(once(30));
    expect(recovered.firstToken?.['m']).to.deep.equal(once(15));
  });

  it('warns of slow steps above a configured threshold', () => {
    const options = { slowMs: { tool: 40, reasoning: 31, firstToken: 5, hook: 1 } };
    const { warnings } = measured({ runs: [[calls('work', 10), says(5, 30)]], options });
    expect(warnings).to.deep.equal([
      { kind: 'tool', name: 'work', ms: 40, limit: 40 },
      { kind: 'firstToken', name: 'm', ms: 5, limit: 5 },
    ]);
    expect(measured({ runs: [[calls('work', 10), says(5, 30)]] }).warnings).to.deep.equal([]);
  });

  it('distinguishes names up to a limit', () => {
    const answers = ['x', 'y', 'z'].map((name) => calls(name, 1));
    const { summary } = measured({ runs: [[...answers, says(1, 2)]], options: { maxNames: 2 } });
    expect(Object.keys(summary.tool ?? {})).to.deep.equal(['x', 'y', 'other']);
  });

  it('measures no hooks unless asked, and then traces nothing', () => {
    const { summary } = measured({ runs: [[says(5, 30)]] });
    expect(summary).not.to.have.property('hook');
    const traced = (options?: TimingOptions) => timing(options).hook.traced;
    expect([traced(), traced({ hooks: false }), traced({ hooks: true })]).to.deep.equal([false, false, true]);
    expect(traced({ slowMs: { hook: 5 } })).to.equal(true);
  });

  it('rejects invalid options', () => {
    expect(() => timing({ slowMs: { tool: 0 } }))
      .to.throw(/slowMs\.tool/)
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => timing({ hooks: false, slowMs: { hook: 5 } })).to.throw('slowMs.hook: requires hooks: true');
  });

  it('keeps the hook contract', () => hookContract(timing().hook));
});
