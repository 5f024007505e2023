import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { expect } from 'chai';
import { concat, map, of, Subject, throwError, timer } from 'rxjs';
import { type OtelOptions, otel } from '../../lib/hooks/otel/index.ts';
import {
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type Hook,
  type Model,
  type ModelChunk,
  type Tool,
} from '../../lib/index.ts';
import { memorySdk, withContextManager } from './exported.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: () => 'seen',
});
const call = (id: string, name: string, input = {}): ModelChunk => ({
  type: 'toolCall',
  toolCall: { id, name, input },
});
const finish = (usage = { inputTokens: 10, outputTokens: 4 }): ModelChunk => ({
  type: 'finish',
  finishReason: 'stop',
  usage,
});
const says = (...turns: readonly (readonly ModelChunk[])[]): Model => {
  let asked = 0;
  return Object.assign(() => of(...(turns[asked++] ?? [])), { modelId: 'big' });
};
const text = (delta: string): ModelChunk => ({ type: 'text', delta });

interface Furniture extends OtelOptions {
  readonly tools?: readonly Tool[];
  readonly more?: readonly Hook[];
}

function house(model: Model, { tools = [look], more = [], ...options }: Furniture = {}) {
  const sdk = memorySdk();
  const { tracerProvider, meterProvider } = sdk;
  const hook = otel({ tracerProvider, meterProvider, ...options });
  const pipeline = createPipeline([hook, ...more]);
  return { sdk, pipeline, agent: createAgent({ name: 'scout', model, tools, pipeline }) };
}

describe('otel: spans of a run', () => {
  withContextManager();

  it('has one span for the run, each model request and each tool call', async () => {
    const { sdk, agent } = house(says([text('a'), call('c1', 'look'), finish()], [text('done'), finish()]), {
      provider: 'openai',
    });
    await agent.call('go', { sessionId: 's1' });
    expect(sdk.tree()).to.deep.equal([{ 'invoke_agent scout': ['chat big', 'execute_tool look', 'chat big'] }]);
    expect(sdk.open.size).to.equal(0);
    const run = sdk.span('invoke_agent scout');
    expect(run.kind).to.equal(SpanKind.INTERNAL);
    expect(run.attributes).to.include({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'scout',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 's1',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 8,
      'hookline.run.outcome': 'completed',
    });
    const chat = sdk.span('chat big');
    expect(chat.kind).to.equal(SpanKind.CLIENT);
    expect(chat.attributes).to.include({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'big',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.request.stream': true,
    });
    expect(chat.attributes['gen_ai.response.finish_reasons']).to.deep.equal(['stop']);
    expect(chat.attributes['gen_ai.response.time_to_first_chunk']).to.be.a('number');
    expect(sdk.span('execute_tool look').attributes).to.deep.equal({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Looks.',
      'hookline.tool.outcome': 'executed',
    });
    expect(JSON.stringify(sdk.spans().map(({ attributes }) => attributes))).not.to.include('done');
  });

  it('starts under the span that is active for the caller', async () => {
    const { sdk, agent } = house(says([text('a')]));
    const tracer = sdk.tracerProvider.getTracer('app');
    await tracer.startActiveSpan('request', async (span) => {
      await agent.call('go');
      span.end();
    });
    expect(sdk.tree()).to.deep.equal([{ request: [{ 'invoke_agent scout': ['chat big'] }] }]);
  });

  it('nests the spans of a tool and of a model client under theirs, also after waits', async () => {
    const work = async (name: string) => {
      await timerOf(2);
      sdk.tracerProvider.getTracer('app').startSpan(name).end();
    };
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      inputSchema: { type: 'object' },
      permission: 'read',
      execute: async () => {
        await work('query');
        return 'done';
      },
    });
    let asked = 0;
    const model: Model = Object.assign(
      async function* () {
        await work('post');
        yield* asked++ === 0 ? [call('c1', 'slow'), call('c2', 'slow')] : [text('done')];
      },
      { modelId: 'big' },
    );
    const { sdk, agent } = house(model, { tools: [slow] });
    await agent.call('go');
    expect(sdk.tree()).to.deep.equal([
      {
        'invoke_agent scout': [
          { 'chat big': ['post'] },
          { 'execute_tool slow': ['query'] },
          { 'execute_tool slow': ['query'] },
          { 'chat big': ['post'] },
        ],
      },
    ]);
  });

  it('nests a sub-agent under the call that started it', async () => {
    const { sdk, agent } = (() => {
      const helper = createAgent({ name: 'helper', model: says([text('a')], [text('b')]) });
      return house(
        says([call('c1', 'helper', { prompt: 'x' }), call('c2', 'helper', { prompt: 'y' })], [text('done')]),
        {
          tools: [agentTool(helper, { description: 'Helps.' }) as never],
        },
      );
    })();
    await agent.call('go');
    const helped = { 'execute_tool helper': [{ 'invoke_agent helper': ['chat big'] }] };
    expect(sdk.tree()).to.deep.equal([{ 'invoke_agent scout': ['chat big', helped, helped, 'chat big'] }]);
  });

  it('keeps interleaved runs apart whose models emit from one source', async () => {
    const tick$ = new Subject<number>();
    const model: Model = Object.assign(() => tick$.pipe(map(() => text('x'))), { modelId: 'big' });
    const { sdk, agent } = house(model);
    const tracer = sdk.tracerProvider.getTracer('app');
    for (const name of ['one', 'two'])
      tracer.startActiveSpan(name, (span) => {
        agent.run('go', { sessionId: name }).subscribe();
        span.end();
      });
    tick$.next(1);
    tick$.complete();
    const below = [{ 'invoke_agent scout': ['chat big'] }];
    expect(sdk.tree()).to.deep.equal([{ one: below }, { two: below }]);
  });

  it('does not put a run that waited for its session under the run before it', async () => {
    const { sdk, agent } = house(() => timer(5).pipe(map(() => text('x'))));
    const tracer = sdk.tracerProvider.getTracer('app');
    const calls = ['one', 'two'].map((name) =>
      tracer.startActiveSpan(name, async (span) => {
        await agent.call('go', { sessionId: 's' });
        span.end();
      }),
    );
    await Promise.all(calls);
    const second = sdk.spans().filter(({ name }) => name === 'invoke_agent scout')[1];
    const first = sdk.span('one');
    expect(second?.parentSpanContext?.spanId).not.to.equal(first.spanContext().spanId);
  });

  it('takes the parent of a run from the application', async () => {
    const sdk = memorySdk();
    const span = sdk.tracerProvider.getTracer('app').startSpan('request');
    const hook = otel({
      tracerProvider: sdk.tracerProvider,
      parent: ({ metadata }) => (metadata?.['traced'] ? trace.setSpan(context.active(), span) : undefined),
    });
    const agent = createAgent({ name: 'scout', model: says([text('a')]), pipeline: createPipeline([hook]) });
    await agent.call('go', { metadata: { traced: true } });
    span.end();
    expect(sdk.tree()).to.deep.equal([{ request: [{ 'invoke_agent scout': ['chat big'] }] }]);
  });

  it('records errors with classes of low cardinality, on the step and the run', async () => {
    const failing: Model = Object.assign(
      () =>
        concat(
          of(text('a')),
          throwError(() => Object.assign(new Error('call 123456 failed'), { code: 'ECONNRESET' })),
        ),
      { modelId: 'big' },
    );
    const { sdk, agent } = house(failing);
    await agent.call('go');
    for (const name of ['chat big', 'invoke_agent scout']) {
      const span = sdk.span(name);
      expect(span.status.code, name).to.equal(SpanStatusCode.ERROR);
      expect(span.attributes['error.type'], name).to.equal('ECONNRESET');
      expect(span.events.map((event) => event.name)).to.deep.equal(['exception']);
    }
    expect(sdk.open.size).to.equal(0);
  });

  it('marks a tool that throws, and only that call', async () => {
    class Broken extends Error {
      override name = 'BrokenPipe 81723';
    }
    const breaks = defineTool({ ...look, name: 'breaks', execute: () => throwError(() => new Broken('no')) });
    const { sdk, agent } = house(says([call('c1', 'breaks'), call('c2', 'look')], [text('done')]), {
      tools: [breaks, look],
    });
    await agent.call('go');
    const span = sdk.span('execute_tool breaks');
    expect(span.status.code).to.equal(SpanStatusCode.ERROR);
    expect(span.attributes).to.include({ 'error.type': '_OTHER', 'hookline.tool.outcome': 'failed' });
    expect(span.events.map(({ name }) => name)).to.deep.equal(['exception']);
    expect(sdk.span('execute_tool look').status.code).to.equal(SpanStatusCode.UNSET);
    expect(sdk.span('invoke_agent scout').status.code).to.equal(SpanStatusCode.UNSET);
  });

  it('has a span for each attempt of a model request, with the model that was asked', async () => {
    const again = defineHook({
      name: 'again',
      around: { reasoning: (_, next) => concat(next().pipe(), next({ model: 'small' })) },
    });
    const { sdk, agent } = house(says([text('a')], [text('b')]), { more: [again] });
    await agent.call('go');
    expect(sdk.names().filter((name) => name.startsWith('chat'))).to.deep.equal(['chat big', 'chat small']);
    expect(sdk.open.size).to.equal(0);
  });

  it('defers to an instrumented model client', async () => {
    const { sdk, agent } = house(says([text('a'), finish()]), { llmSpans: 'defer' });
    await agent.call('go');
    expect(sdk.tree()).to.deep.equal([{ 'invoke_agent scout': ['reasoning 1'] }]);
    const span = sdk.span('reasoning 1');
    expect(span.kind).to.equal(SpanKind.INTERNAL);
    expect(Object.keys(span.attributes).filter((key) => key.startsWith('gen_ai'))).to.deep.equal([]);
    const names = (await sdk.points()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('gen_ai.client'))).to.deep.equal([]);
  });

  it('traces steps without a run of an agent', () => {
    const { sdk, pipeline } = house(says());
    const run = pipeline.start({ agent: 'a' });
    run.reason({ messages: [] }, says([text('a')])).subscribe();
    run.act({ id: 'c', name: 'look', input: {} }, [look]).subscribe();
    expect(sdk.tree()).to.deep.equal(['chat big', 'execute_tool look']);
    expect(sdk.open.size).to.equal(0);
  });

  it('ends all spans of a cancelled run', () => {
    const { sdk, agent } = house(says([call('c1', 'wait')]), {
      tools: [defineTool({ ...look, name: 'wait', execute: () => new Subject<string>() })],
    });
    agent.run('go').subscribe().unsubscribe();
    expect(sdk.open.size).to.equal(0);
    expect(sdk.span('invoke_agent scout').attributes['hookline.run.outcome']).to.equal('cancelled');
  });

  it('leaves the spans of a run to the first of two hooks', async () => {
    const sdk = memorySdk();
    const { tracerProvider } = sdk;
    const hooks = ['one', 'two'].map((name) => otel({ name, tracerProvider }));
    const agent = createAgent({ name: 'scout', model: says([text('a')]), pipeline: createPipeline(hooks) });
    await agent.call('go');
    expect(sdk.tree()).to.deep.equal([{ 'invoke_agent scout': ['chat big'] }]);
  });
});

const timerOf = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
