import { expect } from 'chai';
import { concat, lastValueFrom, NEVER, type Observable, of, throwError, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import type { HookEvent } from '../../../lib/events/hook-event.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { budget } from '../../../lib/hooks/budget/budget.ts';
import {
  type ModelFallbackOptions,
  modelFallback,
  modelFallbackEntry,
} from '../../../lib/hooks/model-fallback/model-fallback.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

const text = (delta: string): ModelChunk => ({ type: 'text', delta });
const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const finish: ModelChunk = { type: 'finish', finishReason: 'stop', usage };
const says = (words: string) => of(text(words), finish);
const fails = (...before: ModelChunk[]) =>
  concat(
    of(...before),
    throwError(() => new Error('no line')),
  );
const filtered = of(text('I'), { type: 'finish', finishReason: 'contentFilter' } as ModelChunk);

type Answers = readonly Observable<ModelChunk>[];

/** A model that gives these answers in order, and its requests. */
function model(modelId: string, answers: Answers): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const ask: Model = (request) => answers[requests.push(request) - 1] ?? says(`${modelId} again`);
  return Object.assign(ask, { requests, modelId });
}

interface Scene {
  readonly options?: Partial<ModelFallbackOptions>;
  readonly more?: readonly Hook[];
}

/** The outcomes of runs that start at these times with these model answers, in virtual time. */
function runs(at: readonly number[], answers: Record<'large' | 'small', Answers>, { options, more = [] }: Scene = {}) {
  const large = model('large', answers.large);
  const small = model('small', answers.small);
  const scheduler = new TestScheduler(() => {});
  const events: HookEvent[] = [];
  const told: string[] = [];
  const lines: string[] = [];
  scheduler.run(() => {
    const hook = modelFallback({ models: ['small'], ...options }, { models: { small } });
    const pipeline = createPipeline([hook, ...more], {
      scheduler,
      log: { debug() {}, info() {}, warn: (...line: unknown[]) => void lines.push(JSON.stringify(line)), error() {} },
    });
    const agent = createAgent({ name: 'a', model: large, pipeline });
    for (const [index, when] of at.entries())
      scheduler.schedule(
        () =>
          void agent.run('go', { sessionId: `s${index}` }).subscribe((event) => {
            events.push(event);
            if (event.type !== 'postCall') return;
            told.push(`${scheduler.now()} ${event.outcome}: ${event.reason ?? textOf(event.message)}`);
          }),
        when,
      );
  });
  const notes = events.flatMap((event) => (event.type === 'postReasoning' ? (event.notes ?? []) : []));
  return { told, events, notes, lines, large, small };
}

describe('modelFallback', () => {
  it('asks the next model after a failure and retracts the text of the failed one', () => {
    const { told, events, notes, small } = runs([0], { large: [fails(text('half'))], small: [says('whole')] });
    expect(told).to.deep.equal(['0 completed: whole']);
    const chunks = events.flatMap((event) =>
      event.type === 'reasoningChunk' && event.delta ? [[event.attempt, event.delta]] : [],
    );
    expect(chunks).to.deep.equal([
      [1, 'half'],
      [2, 'whole'],
    ]);
    expect(notes.map(({ code, data }) => ({ code, data }))).to.deep.equal([
      { code: 'model-fallback', data: { answeredBy: 'small', failures: ['large: no line'] } },
    ]);
    expect(small.requests[0]).to.include({ model: 'small' });
  });

  it('leaves an answer alone', () => {
    const { told, notes, small } = runs([0], { large: [says('fine')], small: [] });
    expect(told).to.deep.equal(['0 completed: fine']);
    expect(notes).to.deep.equal([]);
    expect(small.requests).to.deep.equal([]);
  });

  it('fails with the errors of all models, and with the model as source', () => {
    const { told, events } = runs([0], { large: [fails()], small: [fails()] });
    expect(told).to.deep.equal(['0 failed: No model gave an answer. large: no line; small: no line']);
    const error = events.find((event) => event.type === 'error');
    expect(error?.source).to.equal('model');
  });

  it('asks the next model after a silence, at the start or later', () => {
    const options = { silenceMs: 500 };
    for (const silent of [NEVER, concat(of(text('half')), NEVER)]) {
      const { told, notes } = runs([0], { large: [silent], small: [says('whole')] }, { options });
      expect(told).to.deep.equal(['500 completed: whole']);
      expect(JSON.stringify(notes)).to.contain('large: it sent nothing for 0.5 s');
    }
    expect(runs([0], { large: [NEVER], small: [NEVER] }, { options }).told[0]).to.match(
      /^1000 failed: .*No model gave/,
    );
  });

  describe('with a model that is pulled', () => {
    /** The answer when hooks take longer per chunk than the silence limit of a model. */
    async function slowly(more: () => AsyncIterable<ModelChunk> | Promise<never>): Promise<string> {
      const large: Model = async function* () {
        yield text('a');
        yield text('b');
        yield* (await more()) ?? [];
        yield finish;
      };
      const slow = defineHook({
        name: 'slow',
        on: { reasoningChunk: () => new Promise<void>((done) => setTimeout(done, 60)) },
      });
      const hook = modelFallback({ models: ['small'], silenceMs: 20 }, { models: { small: model('small', []) } });
      const agent = createAgent({ name: 'a', model: large, pipeline: createPipeline([hook, slow]) });
      return textOf((await agent.call('go')).message);
    }

    it('does not count the time of hooks as silence', async () => {
      expect(await slowly(async function* () {})).to.equal('ab');
    });

    it('detects its silence behind slow hooks', async () => {
      expect(await slowly(() => new Promise<never>(() => {}))).to.equal('small again');
    });
  });

  it('asks the next model after a refusal, and keeps the refusal of the last one', () => {
    const scene = { options: { on: ['refusal' as const] } };
    const { told } = runs([0], { large: [filtered], small: [says('whole')] }, scene);
    expect(told).to.deep.equal(['0 completed: whole']);
    expect(runs([0], { large: [filtered], small: [filtered] }, scene).told).to.deep.equal(['0 completed: I']);
    const options = { refusals: ["I can't help"] };
    const refusing = of(text(' I can'), text("'t help you."), finish);
    expect(runs([0], { large: [refusing], small: [says('whole')] }, { options }).told).to.deep.equal([
      '0 completed: whole',
    ]);
    expect(runs([0], { large: [says('I can')], small: [] }, { options }).told).to.deep.equal(['0 completed: I can']);
  });

  it('keeps refusals unless it has phrases or is set to detect them', () => {
    for (const words of [
      'I can’t help with that.',
      'I’m sorry, but I cannot do it.',
      'As an AI model, I must decline.',
    ])
      expect(runs([0], { large: [says(words)], small: [says('whole')] }).told).to.deep.equal([`0 completed: ${words}`]);
    expect(runs([0], { large: [filtered], small: [says('whole')] }).told).to.deep.equal(['0 completed: I']);
    const options = { refusals: ['Sorry'] };
    expect(runs([0], { large: [filtered], small: [says('whole')] }, { options }).told).to.deep.equal([
      '0 completed: whole',
    ]);
    expect(runs([0], { large: [fails()], small: [says('whole')] }, { options }).told).to.deep.equal([
      '0 completed: whole',
    ]);
  });

  it('reports phrases without effect', () => {
    const notices = (options: object) =>
      modelFallbackEntry.notices?.(modelFallbackEntry.optionsSchema.parse({ models: ['b'], ...options }));
    expect(notices({ on: ['failure'], refusals: ['No'] })).to.deep.equal([
      { path: ['refusals'], message: 'have no effect, because "on" does not contain "refusal"' },
    ]);
    for (const options of [{}, { refusals: ['No'] }, { on: ['refusal'], refusals: ['No'] }, { on: ['failure'] }])
      expect(notices(options)).to.deep.equal([]);
  });

  it('detects a refusal in any case, quotes, width and chunking', () => {
    const options = { refusals: ["I'm sorry, but I can't"] };
    for (const words of ['I’m sorry, but I can’t do it.', "I'M SORRY,  BUT\nI CAN'T", 'Ｉ\u2019m sorry, but I canʼt.'])
      for (const pieces of [[words], [...words]]) {
        const refusing = of(...pieces.map(text), finish);
        const { told } = runs([0], { large: [refusing], small: [says('whole')] }, { options });
        expect(told, words).to.deep.equal(['0 completed: whole']);
      }
    const { told } = runs([0], { large: [says('I’m sorry, but I cannot')], small: [] }, { options });
    expect(told).to.deep.equal(['0 completed: I’m sorry, but I cannot']);
  });

  it('notes nothing of a failed model request on the answer of the next one', () => {
    const again = defineHook({
      name: 'again',
      on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : event) },
    });
    const { told, notes } = runs([0], { large: [fails(), says('own')], small: [fails()] }, { more: [again] });
    expect(told).to.deep.equal(['0 completed: own']);
    expect(notes).to.deep.equal([]);
  });

  it('logs the failed model and the reason, but no text of it', () => {
    const { lines } = runs([0], { large: [fails()], small: [says('whole')] });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('"model":"large"').and.include('"why":"failure"').and.include('"next":"small"');
    expect(lines[0]).to.not.include('no line');
  });

  it('falls back only for the configured reasons', () => {
    const only = (on: 'failure' | 'silence' | 'refusal', large: Observable<ModelChunk>) =>
      runs([0], { large: [large], small: [says('whole')] }, { options: { on: [on], silenceMs: 5 } }).told[0];
    expect(only('silence', fails())).to.match(/failed: no line/);
    expect(only('failure', filtered)).to.equal('0 completed: I');
    expect(only('refusal', NEVER)).to.equal(undefined);
  });

  it('skips a failed model while it rests', () => {
    const options = { restMs: 1_000 };
    const { told, large, notes } = runs([0, 999, 1_000], { large: [fails()], small: [] }, { options });
    expect(told).to.deep.equal([
      '0 completed: small again',
      '999 completed: small again',
      '1000 completed: large again',
    ]);
    expect(large.requests).to.have.length(2);
    expect(notes.map(({ message }) => message)).to.deep.equal(['Used small because large: no line.', 'Used small.']);
    expect(runs([0, 1], { large: [fails()], small: [fails()] }, { options }).told[1]).to.equal(
      '1 completed: large again',
    );
  });

  it('passes its name to the own model if the host has no such model', () => {
    const options = { models: ['cheap'] };
    const { large } = runs([0], { large: [fails(), says('ok')], small: [] }, { options });
    expect(large.requests.map((request) => request.model)).to.deep.equal(['large', 'cheap']);
  });

  it('reports the asked model to inner hooks, so that they use its price', () => {
    const prices = { large: { input: 1, output: 1 }, small: { input: 100, output: 1 } };
    const paid = (large: Observable<ModelChunk>) => {
      const spend = budget({ limits: [{ of: 'cost', per: 'session', max: 50, onLimit: 'warn' }], prices });
      const { events } = runs([0], { large: [large], small: [says('whole')] }, { more: [spend] });
      return events.some(({ notes = [] }) => notes.some(({ code }) => code === 'budget-spent'));
    };
    expect(paid(says('cheap'))).to.equal(false);
    expect(paid(fails())).to.equal(true);
  });

  it('falls back for sub-agents too', async () => {
    const child = createAgent({ name: 'child', model: model('large', [fails()]) });
    const small = model('small', [says('helped')]);
    const call: ModelChunk = { type: 'toolCall', toolCall: { id: 'c', name: 'child', input: { prompt: 'x' } } };
    const agent = createAgent({
      name: 'a',
      model: model('main', [of(call, finish), says('done')]),
      tools: [agentTool(child, { description: 'helps' })],
      pipeline: createPipeline([modelFallback({ models: ['small'] }, { models: { small } })]),
    });
    const events = await lastValueFrom(agent.run('go').pipe(toArray()));
    const post = events.find((event) => event.type === 'postActing');
    expect(post?.result.content).to.equal('helped');
  });

  it('rejects invalid options', () => {
    expect(() => modelFallback({ models: [] }))
      .to.throw('models: must contain at least one model')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => modelFallback({ models: ['a', 'a'] })).to.throw('must not contain a model twice');
    expect(() => modelFallback({ models: ['a'], on: [] })).to.throw('on: must contain at least one of');
  });

  it('keeps the hook contract', () => hookContract(modelFallback({ models: ['small'] })));
});
