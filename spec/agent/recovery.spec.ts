import { expect } from 'chai';
import { from } from 'rxjs';
import {
  abort,
  createAgent,
  defineHook,
  type ErrorEvent,
  type Handlers,
  type HookDefinition,
  type Message,
  type Model,
  type ModelChunk,
  respond,
  retry,
  textOf,
  toolResult,
} from '../../lib/index.ts';
import { recorder, scriptedTool } from '../../lib/testing/index.ts';
import { play, type StageOptions, stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const acting = [{ toolCalls: [call('look')] }, 'done'];
const callsLook: Message = {
  role: 'assistant',
  parts: [{ type: 'toolCall', toolCall: { id: 'c', ...call('look') } }],
};
const look = () => scriptedTool({ name: 'look', chunks: ['se', 'en'], result: 'seen' });
const onError = (error: (event: ErrorEvent) => ErrorEvent | undefined, name = 'rescue') =>
  defineHook({ name, on: { error } });

describe('recovery from a failing model', () => {
  it('retracts the text streamed before', () => {
    const rescue = onError((event) => (event.phase === 'call' ? undefined : respond(event, 'sorry' as never)));
    const reasoned = stage({ turns: [{ chunks: ['The password is '], error: 'cut' }], hooks: [rescue] }).run();
    expect(reasoned.lines('reasoningChunk', 'postReasoning')).to.deep.equal([
      'reasoningChunk "The password is "',
      'reasoningChunk last attempt 2',
      'postReasoning "sorry" responded',
    ]);
    const tools = [scriptedTool({ name: 'look', chunks: ['partial '], error: 'cut' })];
    const acted = stage({ turns: acting, tools, hooks: [rescue] }).run();
    expect(acted.lines('actingChunk')).to.deep.equal([
      'actingChunk call_1 "partial "',
      'actingChunk call_1 last attempt 2',
    ]);
  });

  it('drops the text of a step that a hook’s message replaced, however the next one ends', () => {
    const { run, remembered } = stage({
      turns: [{ chunks: ['half ', 'said'] }, 'never asked'],
      tools: [look()],
      hooks: [
        defineHook({
          name: 'failing',
          on: {
            preReasoning: (event) => (event.iteration > 1 ? abort(event, 'enough') : undefined),
            postReasoning() {
              throw new Error('no');
            },
          },
        }),
        onError((event) => (event.phase === 'reasoning' ? respond(event, callsLook) : undefined)),
      ],
    });
    run();
    expect(remembered()).to.deep.equal(['user: go', 'assistant: [look {}]', 'tool: [seen]']);
  });

  it('drops the text of an attempt if the next one does not start', () => {
    const { run, remembered } = stage({
      turns: [{ chunks: ['half'], error: 'cut' }, 'never asked'],
      hooks: [
        defineHook({
          name: 'guard',
          on: { preReasoning: (event) => (event.attempt > 1 ? abort(event, 'enough') : undefined) },
        }),
        onError((event) => (event.phase === 'reasoning' ? retry(event) : undefined)),
      ],
    });
    run();
    expect(remembered()).to.deep.equal(['user: go']);
  });

  it('respond: uses the hook’s message as the answer, passes it to on.postReasoning and stores it', () => {
    const seen: string[] = [];
    const { run, remembered } = stage({
      turns: [{ error: 'quota' }],
      hooks: [
        onError((event) => (event.phase === 'reasoning' ? respond(event, 'later') : undefined)),
        defineHook({ name: 'watch', on: { postReasoning: ({ message }) => void seen.push(textOf(message)) } }),
      ],
    });
    const { lines } = run();
    expect(lines('error', 'postReasoning', 'postCall')).to.deep.equal([
      'error reasoning model "quota" => respond "later" by rescue',
      'postReasoning "later" responded',
      'postCall responded "later"',
    ]);
    expect(seen).to.deep.equal(['later']);
    expect(remembered()).to.deep.equal(['user: go', 'assistant: later']);
  });

  it('retry: repeats the step with a higher attempt and stores only its text', () => {
    const { run, remembered } = stage({
      turns: [{ chunks: ['Hel'], error: 'cut' }, { chunks: ['Hel', 'lo'] }],
      hooks: [onError((event) => (event.phase === 'reasoning' ? retry(event) : undefined))],
    });
    expect(run().lines()).to.deep.equal([
      'preCall "go"',
      'preReasoning',
      'reasoningChunk "Hel"',
      'error reasoning model "cut" => retry by rescue',
      'preReasoning attempt 2',
      'reasoningChunk "Hel" attempt 2',
      'reasoningChunk "lo" attempt 2',
      'reasoningChunk last attempt 2',
      'postReasoning "Hello"',
      'postCall completed "Hello"',
    ]);
    expect(remembered()).to.deep.equal(['user: go', 'assistant: Hello']);
  });

  it('retry: fails with the last error beyond the limit', () => {
    const { run, model } = stage({
      turns: ['a', 'b', 'c', 'd', 'e'].map((error) => ({ error })),
      hooks: [onError((event) => (event.phase === 'reasoning' ? retry(event) : undefined))],
      settings: { maxRetries: 2 },
    });
    const { post, of: typed } = run();
    expect(model.requests).to.have.length(3);
    expect(post).to.deep.include({ outcome: 'failed', reason: 'c' });
    expect(
      typed('error')
        .at(-1)
        ?.notes?.map(({ code }) => code),
    ).to.deep.equal(['retry-exhausted']);
  });

  it('no recovery: fails the run and keeps its input and the streamed text', () => {
    const { run, remembered } = stage({ turns: [{ chunks: ['half a '], error: 'cut' }, 'ok'] });
    expect(run().post).to.deep.include({ outcome: 'failed', reason: 'cut' });
    expect(remembered()).to.deep.equal(['user: go', 'assistant: half a ']);
    expect(run('on').post.outcome).to.equal('completed');
  });

  it('treats a model that breaks its contract like one that throws', () => {
    const model: Model = () => from([{ type: 'text', delta: 7 }] as unknown as ModelChunk[]);
    const { post } = play(createAgent({ name: 'a', model }).run('go'));
    expect(post.outcome).to.equal('failed');
    expect(post.reason).to.match(/^The model sent an invalid chunk/);
  });
});

describe('recovery from a failing tool', () => {
  it('respond: keeps the hook’s result, as responded', () => {
    const { run, asked } = stage({
      turns: acting,
      tools: [scriptedTool({ name: 'look', error: 'blind' })],
      hooks: [onError((event) => (event.phase === 'acting' ? respond(event, toolResult('a guess')) : undefined))],
    });
    expect(run().lines('error', 'postActing')).to.deep.equal([
      'error acting tool call_1 "blind" => respond "a guess" by rescue',
      'postActing call_1 responded "a guess"',
    ]);
    expect(asked(1).at(-1)).to.equal('tool: [a guess]');
  });

  it('retry: executes the judged call again with a higher attempt', () => {
    let tries = 0;
    const tool = scriptedTool({
      name: 'look',
      chunks: ['c'],
      result: () => {
        tries += 1;
        if (tries === 1) throw new Error('blind');
        return 'seen';
      },
    });
    const judged: string[] = [];
    const { run } = stage({
      turns: acting,
      tools: [tool],
      hooks: [
        onError((event) => (event.phase === 'acting' ? retry(event) : undefined)),
        defineHook({ name: 'watch', on: { preActing: ({ toolCall }) => void judged.push(toolCall.id) } }),
      ],
    });
    expect(run().lines('preActing', 'actingChunk', 'error', 'postActing')).to.deep.equal([
      'preActing call_1 look {}',
      'actingChunk call_1 "c"',
      'error acting tool call_1 "blind" => retry by rescue',
      'actingChunk call_1 "c" attempt 2',
      'actingChunk call_1 last attempt 2',
      'postActing call_1 executed "seen"',
    ]);
    expect(judged).to.deep.equal(['call_1']);
  });

  it('no recovery: returns the error to the model, and the run continues', () => {
    const { run, asked } = stage({ turns: acting, tools: [scriptedTool({ name: 'look', error: 'blind' })] });
    expect(run().post.outcome).to.equal('completed');
    expect(asked(1).at(-1)).to.equal('tool: [failed: Tool "look" failed: blind]');
  });

  it('names the field of an invalid input to the model, without an error event', () => {
    const { of: typed } = stage({ turns: [{ toolCalls: [call('nope')] }, 'done'], tools: [look()] }).run();
    expect(typed('error')).to.be.empty;
    expect(typed('postActing')[0]).to.deep.include({ outcome: 'failed', permission: 'external' });
  });
});

describe('a failing hook', () => {
  const boom = () => {
    throw new Error('oh');
  };
  const scene = (on: Handlers, own: Partial<HookDefinition> = {}, more: Partial<StageOptions> = {}) => {
    const seen = recorder();
    const broken = defineHook({ name: 'broken', on, ...own });
    const tool = look();
    const staged = stage({ turns: acting, tools: [tool], ...more, hooks: [broken, ...(more.hooks ?? []), seen] });
    return { seen, tool, ...staged };
  };

  for (const type of [
    'preCall',
    'preReasoning',
    'reasoningChunk',
    'postReasoning',
    'actingChunk',
    'postActing',
  ] as const) {
    it(`closed, in on.${type}: fails the run with one error that names it and one postCall`, () => {
      const { run, seen } = scene({ [type]: boom });
      const { post } = run();
      expect(post.outcome).to.equal('failed');
      expect(seen.of('error').map(({ source, hook }) => `${source} ${hook}`)).to.deep.equal(['hook broken']);
      expect(seen.of('postCall')).to.have.length(1);
    });

    it(`open, in on.${type}: is skipped and reported`, () => {
      const { run, seen } = scene({ [type]: boom }, { onFailure: 'skip' });
      expect(textOf(run().post.message)).to.equal('done');
      expect(new Set(seen.of('error').map(({ hook }) => hook))).to.deep.equal(new Set(['broken']));
    });
  }

  it('closed, in on.preActing: denies the call, and the run continues', () => {
    const { run, tool } = scene({ preActing: boom });
    expect(run().lines('postActing', 'postCall')).to.deep.equal([
      'postActing call_1 denied "The call was denied by hook \\"broken\\": hook \\"broken\\" failed"',
      'postCall completed "done"',
    ]);
    expect(tool.calls).to.be.empty;
  });

  it('in on.error or on.postCall: is only logged', () => {
    const { run, seen } = scene({ error: boom, postCall: boom }, {}, { turns: [{ error: 'quota' }] });
    expect(run().post).to.deep.include({ outcome: 'failed', reason: 'quota' });
    expect(seen.of('error').map(({ error }) => error.message)).to.deep.equal(['quota']);
  });

  it('closed, on an answer: lets another hook answer, and emits no unapproved text', () => {
    const rescue = onError((event) => (event.phase === 'reasoning' ? respond(event, 'clean') : undefined));
    const { run, remembered } = scene({ postReasoning: boom }, {}, { turns: ['raw'], hooks: [rescue] });
    expect(textOf(run().post.message)).to.equal('clean');
    expect(remembered()).to.deep.equal(['user: go', 'assistant: clean']);
  });

  it('closed, on the call itself: lets another hook answer it', () => {
    const rescue = onError((event) => (event.phase === 'call' ? respond(event, 'not now') : undefined));
    const { run, model } = scene({ preCall: boom }, {}, { hooks: [rescue] });
    const { post } = run();
    expect([post.outcome, textOf(post.message)]).to.deep.equal(['responded', 'not now']);
    expect(model.requests).to.be.empty;
  });

  it('closed, on a result: withholds the result from model and transcript', () => {
    const { run, remembered } = scene({ postActing: boom });
    run();
    expect(remembered().at(-1)).to.equal('tool: [failed: The result was withheld: hook "broken" failed.]');
  });

  it('closed, on a chunk of a tool: withholds the rest and starts no siblings', () => {
    const broken = (event: { content: string }) => (event.content === 'en' ? boom() : undefined);
    const { run, tool, seen } = scene(
      { actingChunk: broken },
      {},
      { turns: [{ toolCalls: [call('look'), call('look')] }], toolConcurrency: 1 },
    );
    expect(run().post.outcome).to.equal('failed');
    expect(seen.of('actingChunk').map(({ content }) => content)).to.deep.equal(['se']);
    expect(tool.calls).to.have.length(1);
    expect(seen.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed', 'skipped']);
  });
});
