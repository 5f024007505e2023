import * as ai from 'ai';
import { expect } from 'chai';
import { withHooks } from '../../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline } from '../../../../lib/index.ts';
import { calls, modelOf, rejection, says } from './scene.ts';

const ran: unknown[] = [];
const tool = (more: object = {}) => ({
  inputSchema: ai.jsonSchema({ type: 'object' }),
  execute: () => ran.push(1),
  ...more,
});
const own = () => ({ model: modelOf(calls('look', {}), says('done')), tools: { look: tool() } });
const caller = Object.defineProperty(tool(), 'experimental_toolCaller', {
  value: { type: 'local', bind: () => tool() },
});

describe('withHooks of the AI SDK rejects', () => {
  const pipeline = createPipeline([]);
  const { streamText, ToolLoopAgent } = withHooks(ai, pipeline, { agent: 'x' });
  const agent = (settings: object = {}) => new ToolLoopAgent({ ...own(), ...settings } as never);
  const start = (options: object) => () => streamText({ ...own(), prompt: 'Go!', ...options } as never);
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    [
      'an argument other than the module',
      () => withHooks({} as never, pipeline, { agent: 'x' }),
      'it has no generateText',
    ],
    ['an unknown option', () => withHooks(ai, pipeline, { agent: 'x', bufer: true } as never), '"bufer"'],
    [
      'an unknown option of a call',
      () =>
        withHooks(ai, pipeline, { agent: 'x' }).streamText({
          model: modelOf(),
          prompt: '',
          hookline: { user: 'a' },
        } as never),
      '"user"',
    ],
    [
      'a model passed as a string',
      () => withHooks(ai, pipeline, { agent: 'x' }).streamText({ model: 'openai/gpt-5', prompt: '' }),
      'openai/gpt-5',
    ],
  ];
  const past: typeof cases = [
    ...['model', 'tools', 'prepareStep', 'stopWhen', 'toolApproval'].map(
      (name) =>
        [
          `${name} in a call of an agent`,
          () => agent().generate({ prompt: 'Go!', [name]: { ...own(), prepareStep: () => ({}) }[name] ?? [] } as never),
          `a call of an agent cannot contain "${name}"`,
        ] as const,
    ),
    ['a model named in a call of an agent', () => agent().stream({ prompt: '', model: 'a/b' } as never), '"model"'],
    ['prepareCall of an agent', () => agent({ prepareCall: () => ({}) }), 'use prepareStep instead'],
    ['toolSearch()', start({ tools: { search: ai.toolSearch(), look: tool() } }), 'Symbol('],
    ['a tool that calls others past the hooks', start({ tools: { caller } }), '"experimental_toolCaller"'],
    [
      'a tool with a class instance',
      start({ tools: { look: tool({ helper: new (class Helper {})() }) } }),
      'instance of Helper',
    ],
    ['an option with a function', start({ onSomethingNew: () => {} }), '"onSomethingNew": it has a function'],
    ['an option with nested functions', start({ more: { deep: [{ ask: () => {} }] } }), '"more": it has a function'],
    ['an option with a model', start({ judge: modelOf() }), '"judge": it has an instance of'],
    [
      'a call of prepareCall of an agent',
      () => (agent() as never as { prepareCall(): void }).prepareCall(),
      'prepareCall',
    ],
  ];
  // Nothing may run before the rejection.
  after(() => expect(ran).to.deep.equal([]));

  it('no plain data of later versions, and no SDK agent', async () => {
    const { generateText } = withHooks(ai, pipeline, { agent: 'x' });
    const more = { effort: { level: 3, at: new Date(0), of: [new URL('https://a.example')] } };
    const tools = { look: tool({ deferred: { by: 'name' } }) };
    expect(
      (await generateText({ model: modelOf(says('fine')), tools, prompt: 'Go!', ...more } as never)).text,
    ).to.equal('fine');
    expect(agent()).to.be.instanceOf(ai.ToolLoopAgent);
  });

  it('an unknown model or function from prepareStep', async () => {
    const { generateText } = withHooks(ai, pipeline, { agent: 'x' });
    const prepareStep = () => ({ judge: () => {} });
    const failure = await rejection(generateText({ ...own(), prompt: 'Go!', prepareStep } as never));
    expect(failure.message).to.contain('what prepareStep returns cannot contain "judge"');
  });

  for (const [what, work, said] of [...cases, ...past]) {
    it(what, () => {
      expect(work).to.throw(said).with.property('code', 'INPUT_INVALID');
    });
  }
});
