import { expect } from 'chai';
import { catchError, firstValueFrom, map, mergeMap, NEVER, type Observable, of, throwError } from 'rxjs';
import {
  type AskReply,
  type AskRequest,
  createAgent,
  createPipeline,
  defineHook,
  type HookContext,
  type Model,
  type ModelRequest,
  modify,
  textOf,
  userMessage,
} from '../../../lib/index.ts';
import type { Lifetime } from '../../../lib/pipeline/flow/lifetime.ts';
import { askModel } from '../../../lib/pipeline/phases/ask-model.ts';
import { marbles, scriptedModel } from '../../../lib/testing/index.ts';
import { testScope } from '../../../lib/testing/test-scope.ts';

const usage = { inputTokens: 2, outputTokens: 3 };
const judge = (answer: string): Model & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  const model: Model = (request) => {
    requests.push(request);
    return of({ type: 'text', delta: answer } as const, { type: 'finish', finishReason: 'stop', usage } as const);
  };
  return Object.assign(model, { requests });
};
const question: AskRequest = { messages: ['Is it harmful?'] };

/** A hook that asks before the model request and passes on the reply. */
function asking(ask: (context: HookContext) => Observable<AskReply>, heard: (told: unknown) => void) {
  return defineHook({
    name: 'judge',
    timeoutMs: 20,
    onFailure: 'skip',
    on: {
      preReasoning: (event, context) =>
        ask(context).pipe(
          map((reply) => {
            heard(reply);
            return modify(event, { messages: [...event.messages, userMessage(textOf(reply.message))] });
          }),
        ),
    },
  });
}

describe('context.ask', () => {
  for (const [what, answer] of Object.entries({
    answered: judge('fine'),
    failed: () => throwError(() => new Error('no')),
  }))
    it(`releases the handler when the model has ${what}`, async () => {
      const workers = new Set<object>();
      const within: Lifetime = {
        ...{ cancelled: false, reason: undefined, signal: new AbortController().signal, cancel() {}, release() {} },
        onCancel(worker) {
          workers.add(worker);
          return { unsubscribe: () => void workers.delete(worker) };
        },
      };
      const scope = testScope([], { runId: 'r', sessionId: 's', agent: 'a', depth: 0 }, {});
      const reply$ = askModel(scope, within, question, { model: answer });
      expect(
        await firstValueFrom(
          reply$.pipe(
            map(({ message }) => textOf(message)),
            catchError((error: Error) => of(error.message)),
          ),
        ),
      ).to.be.oneOf(['fine', 'no']);
      expect(workers).to.be.empty;
    });

  it('asks the run’s own model outside its events and counts the usage', async () => {
    const model = judge('fine');
    const seen: string[] = [];
    const watch = defineHook({ name: 'watch', priority: 1, on: ({ type }) => void seen.push(type) });
    const told: unknown[] = [];
    const agent = createAgent({
      name: 'a',
      model,
      pipeline: createPipeline([
        watch,
        asking(
          ({ ask }) => ask(question),
          (reply) => told.push(reply),
        ),
      ]),
    });
    const post = await agent.call('hi');
    expect(model.requests.map(({ messages }) => messages.map(textOf))).to.deep.equal([
      ['Is it harmful?'],
      ['hi', 'fine'],
    ]);
    expect(told).to.deep.equal([
      { message: { role: 'assistant', parts: [{ type: 'text', text: 'fine' }] }, finishReason: 'stop', usage },
    ]);
    expect(seen.filter((type) => type === 'preReasoning')).to.have.length(1);
    expect(post.usage).to.deep.equal({ inputTokens: 4, outputTokens: 6 });
  });

  it('counts the usage once, also in a run that reports none', async () => {
    const silent: Model = () =>
      of({ type: 'text', delta: 'hello' } as const, { type: 'finish', finishReason: 'stop' } as const);
    const asks = asking(
      ({ ask }) => ask(question, { model: judge('fine') }),
      () => {},
    );
    const post = await createAgent({ name: 'a', model: silent, pipeline: createPipeline([asks]) }).call('hi');
    expect(post.usage).to.deep.equal(usage);
  });

  it('asks another model, by name or directly, with all fields of a request', async () => {
    const other = judge('no');
    const named = judge('yes');
    const told: string[] = [];
    const keep = (reply: unknown) => told.push(textOf((reply as AskReply).message));
    for (const model of ['strict', other])
      await createAgent({
        name: 'a',
        model: scriptedModel(['done']),
        pipeline: createPipeline(
          [asking(({ ask }) => ask({ ...question, model: 'gpt', options: { temperature: 0 } }, { model }), keep)],
          {
            models: { strict: named },
          },
        ),
      }).call('hi');
    expect(told).to.deep.equal(['yes', 'no']);
    expect(named.requests[0]).to.deep.include({ model: 'gpt', options: { temperature: 0 }, tools: [] });
  });

  it('ends with the handler: the model’s signal aborts at the timeout', async () => {
    let aborted = false;
    const slow: Model = (_request, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return NEVER;
    };
    const told: unknown[] = [];
    const hook = defineHook({
      name: 'judge',
      timeoutMs: 10,
      onFailure: 'skip',
      on: {
        preReasoning: async (_event, { ask }) => {
          await firstValueFrom(ask(question, { model: slow })).catch((thrown) => told.push(thrown.name));
        },
      },
    });
    const post = await createAgent({
      name: 'a',
      model: scriptedModel(['done']),
      pipeline: createPipeline([hook]),
    }).call('hi');
    expect(post.outcome).to.equal('completed');
    expect(aborted).to.equal(true);
    expect(told).to.deep.equal(['AbortError']);
  });

  it('works in virtual time and fails with the error of the model', () => {
    marbles(({ scheduler }) => {
      const told: string[] = [];
      const model = scriptedModel(['a', 'b'], { scheduler, delayMs: 5 });
      const failing: Model = () => throwError(() => new Error('quota'));
      const hook = defineHook({
        name: 'judge',
        on: {
          preCall: (_event, { ask }) =>
            ask(question).pipe(
              mergeMap((reply) => {
                told.push(textOf(reply.message));
                return ask(question, { model: failing });
              }),
              map(() => undefined),
            ),
        },
      });
      const agent = createAgent({ name: 'a', model, pipeline: createPipeline([hook], { scheduler }) });
      const events: string[] = [];
      agent.run('hi').subscribe((event) => events.push(event.type === 'error' ? event.error.message : event.type));
      scheduler.flush();
      expect(told).to.deep.equal(['a']);
      expect(events).to.deep.equal(['preCall', 'Hook "judge" failed in on.preCall: quota', 'postCall']);
    });
  });

  it('is named in the failure of a late handler', async () => {
    const agent = createAgent({
      name: 'a',
      model: () => NEVER,
      pipeline: createPipeline([
        defineHook({
          name: 'slow',
          timeoutMs: 5,
          on: { preCall: (_event, { ask }) => ask(question).pipe(map(() => undefined)) },
        }),
      ]),
    });
    expect((await agent.call('hi')).reason).to.match(/^Hook "slow" \(on\.preCall\) did not complete within 5 ms/);
  });

  it('reports missing and invalid arguments', async () => {
    const wrong: [(context: HookContext) => unknown, RegExp][] = [
      [({ ask }) => ask({} as never), /messages must be a list of at least one/],
      [({ ask }) => ask({ messages: [] }), /messages must be a list of at least one/],
      [({ ask }) => ask({ messages: ['x'], tool: [] } as never), /did you mean "tools"/],
      [({ ask }) => ask({ messages: [7] } as never, { model: 'strict' }), /expected object, received number/],
      [({ ask }) => ask({ ...question, tools: 'all' } as never, { model: 'strict' }), /→ at tools/],
      [({ ask }) => ask(question, { model: 'strikt' }), /no model "strikt" \(did you mean "strict"\?\).*: strict/],
      [({ ask }) => ask(question, { model: null } as never), /no such model as null/],
      [({ ask }) => ask(question, { modle: 'x' } as never), /did you mean "model"/],
      [({ ask }) => ask(question), /not been given a model yet/],
    ];
    for (const [act, told] of wrong) {
      const pipeline = createPipeline(
        [defineHook({ name: 'h', on: { preCall: (_event, context) => act(context) as never } })],
        {
          models: { strict: judge('x') },
        },
      );
      const messages: string[] = [];
      pipeline
        .start({ agent: 'a' })
        .begin([])
        .subscribe((event) => event.type === 'error' && messages.push(event.error.message));
      expect(messages.join()).to.match(told);
    }
  });
});
