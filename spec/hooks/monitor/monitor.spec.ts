import { readFileSync, writeFileSync } from 'node:fs';
import { Module } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { concat, of, retry, throwError } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { monitor, monitorEntry } from '../../../lib/hooks/monitor/monitor.ts';
import { type MonitorOptions, monitorOptionsSchema } from '../../../lib/hooks/monitor/monitor-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { tempFolder } from '../../temp-folder.ts';

const usage = { inputTokens: 60, outputTokens: 40, cachedInputTokens: 10 };
const calling = (...names: string[]) => ({
  toolCalls: names.map((name) => ({ name, input: { prompt: 'x' } })),
  usage,
});
const saying = (text: string) => ({ text, usage });
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  execute: () => 'seen',
});

function scene(
  turns: Parameters<typeof scriptedModel>[0],
  options: MonitorOptions = {},
  more: readonly Hook[] = [],
  tools = [look],
) {
  const watched = monitor(options);
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, warn: (_: unknown, text = '') => void warnings.push(text), error() {} };
  const pipeline = createPipeline([watched.hook, ...more], { log });
  const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools, pipeline });
  return { ...watched, agent, pipeline, warnings };
}

const noteOf = (post: { notes?: readonly { code: string; message: string; data?: unknown }[] }) =>
  post.notes?.find(({ code }) => code === 'monitor');

describe('monitor', () => {
  it('counts model steps, calls, tokens and cost of a run, with a note at its end', async () => {
    const prices = { '*': { input: 1_000, output: 10_000 } };
    const { agent, totals } = scene([calling('look', 'none'), saying('done')], { prices });
    const { data, message } = noteOf(await agent.call('go')) ?? {};
    const { runMs, ...counts } = data as Record<string, unknown>;
    expect(runMs).to.be.a('number');
    expect({ ...counts, modelStepMs: 0, toolMs: 0 }).to.deep.equal({
      toolCalls: { executed: 1, failed: 1 },
      modelSteps: 2,
      modelStepMs: 0,
      toolMs: 0,
      inputTokens: 120,
      outputTokens: 80,
      cachedInputTokens: 20,
      cost: 0.92,
    });
    expect(message).to.match(/^\d+ ms, model steps: 2, tool calls: 2, tokens: 200, 0\.92 USD$/);
    expect(totals()).to.deep.include({ runs: { completed: 1 }, modelSteps: 2, cost: 0.92 });
  });

  it('separates runs, sub-agents too, and sums them up', async () => {
    const child = createAgent({ name: 'child', model: scriptedModel([calling('look'), saying('c')]), tools: [look] });
    const tools = [look, agentTool(child, { description: 'helps' })] as never;
    const { agent, totals } = scene([calling('child'), saying('done'), saying('again')], {}, [], tools);
    const posts = [await agent.call('go'), await agent.call('go')];
    expect(posts.map((post) => (noteOf(post) as { data: { modelSteps: number } }).data.modelSteps)).to.deep.equal([
      2, 1,
    ]);
    expect(totals()).to.deep.include({
      runs: { completed: 3 },
      modelSteps: 5,
      toolCalls: { executed: 2 },
      inputTokens: 300,
    });
  });

  it('counts the tokens of every attempt, for the model asked', async () => {
    const finish = (usage: object) => ({ type: 'finish', finishReason: 'stop', usage }) as ModelChunk;
    const tokens = { inputTokens: 10, outputTokens: 0 };
    let asked = 0;
    const flaky: Model = () =>
      ++asked === 1
        ? concat(
            of(finish(tokens)),
            throwError(() => new Error('lost')),
          )
        : of(finish(tokens));
    const again = defineHook({ name: 'again', around: { reasoning: (_, next) => next().pipe(retry(1)) } });
    const other = Object.assign(flaky, { modelId: 'other' });
    const turn = defineHook({ name: 'turn', around: { reasoning: (_, next) => next({}, other) } });
    const { agent, totals } = scene(['x'], { prices: { other: { input: 1e6, output: 0 } } }, [again, turn]);
    await agent.call('go');
    expect(totals()).to.deep.include({ inputTokens: 20, cost: 20 });
  });

  it('omits the cost of a model without a price and logs it once', async () => {
    const { agent, totals, warnings } = scene([calling('look'), saying('done')], {
      prices: { x: { input: 1, output: 1 } },
    });
    const post = await agent.call('go');
    expect(post.outcome).to.equal('completed');
    expect(totals()).not.to.have.property('cost');
    expect(warnings.filter((text) => text.includes('has no price for the model "scripted"'))).to.have.length(1);
  });

  it('returns metrics in the Prometheus text format, with labels of bounded number', async () => {
    const { agent, prometheus, pipeline } = scene([calling('look', 'x', 'y', 'z'), saying('done')], {
      prometheus: true,
      maxLabelValues: 2,
      prefix: 'my_',
      prices: { '*': { input: 1e6, output: 0 } },
    });
    await agent.call('go');
    await pipeline.flush();
    const text = await prometheus();
    expect(text).to.include('my_runs_total{agent="a",outcome="completed"} 1\n');
    expect(text).to.include('my_runs_active{agent="a"} 0\n');
    expect(text).to.include('my_tool_calls_total{agent="a",tool="look",outcome="executed"} 1\n');
    expect(text).to.include('my_tool_calls_total{agent="a",tool="other",outcome="failed"} 2\n');
    expect(text).to.include('my_tokens_total{agent="a",model="scripted",kind="output"} 80\n');
    expect(text).to.include('my_cost_total{agent="a",model="scripted",currency="USD"} 120\n');
    expect(text).to.match(/^my_reasoning_duration_seconds_count\{agent="a",model="scripted"\} 2$/m);
    expect(text).to.match(/^my_tool_duration_seconds_bucket\{le="0.01",agent="a",tool="look"\} \d$/m);
  });

  it('counts errors and cancelled runs', async () => {
    const { agent, prometheus, totals } = scene([{ text: 'x', error: 'lost' }, saying('y')], { prometheus: true });
    await agent.call('go');
    const controller = new AbortController();
    agent
      .run('go', { signal: controller.signal })
      .subscribe(({ type }) => type === 'preReasoning' && controller.abort());
    expect(totals().runs).to.deep.equal({ failed: 1, cancelled: 1 });
    const text = await prometheus();
    expect(text).to.include('hookline_errors_total{agent="a",phase="reasoning",source="model"} 1\n');
    expect(text).to.include('hookline_runs_active{agent="a"} 0\n');
  });

  it('writes the text after each run, once for runs that end together, and creates the folder', async () => {
    const file = join(tempFolder('metrics'), 'new', 'hookline.prom');
    const { agent, pipeline } = scene([saying('1'), saying('2'), saying('3')], { file });
    await Promise.all([1, 2, 3].map((session) => agent.call('go', { sessionId: `s${session}` })));
    await pipeline.flush();
    expect(readFileSync(file, 'utf8')).to.include('hookline_runs_total{agent="a",outcome="completed"} 3\n');
  });

  it('continues if the file cannot be written', async () => {
    const file = join(tempFolder('metrics'), 'file');
    writeFileSync(file, '');
    const { agent, pipeline } = scene([saying('1')], { file: join(file, 'all.prom') });
    expect((await agent.call('go')).outcome).to.equal('completed');
    await pipeline.flush();
  });

  it('names the way to enable metrics if there are none', async () => {
    const thrown = await monitor()
      .prometheus()
      .catch((error) => error);
    expect(thrown).to.include({ code: 'OPTIONS_INVALID' });
    expect(thrown.message).to.contain('Create it with { prometheus: true }');
  });

  it('names the package to install if prom-client is missing', () => {
    const load = (Module as never as { _load: (...args: unknown[]) => unknown })._load;
    const own = Module as never as { _load: (...args: unknown[]) => unknown };
    own._load = (request, ...rest) => {
      if (request === 'prom-client') throw new Error('Cannot find module');
      return load(request, ...rest);
    };
    try {
      expect(() => monitor({ prometheus: true }))
        .to.throw('Run: npm install prom-client, or remove prometheus and file.')
        .with.property('code', 'OPTIONS_INVALID');
      expect(() => monitor()).not.to.throw();
    } finally {
      own._load = load;
    }
  });

  it('reports in a configuration that the text needs a file', () => {
    const notices = (options: MonitorOptions) => monitorEntry.notices?.(monitorOptionsSchema.parse(options));
    expect(notices({ prometheus: true })).to.have.length(1);
    expect(notices({ prometheus: true, file: 'x' })).to.deep.equal([]);
  });

  it('rejects invalid options', () =>
    expect(() => monitor({ prefix: 'my-' }))
      .to.throw('prefix: must contain only letters, digits, _ and :')
      .with.property('code', 'OPTIONS_INVALID'));

  it('keeps the hook contract', () => hookContract(monitor().hook));
});
