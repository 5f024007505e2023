import * as ai from 'ai';
import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, says, stopWhen, watch } from './scene.ts';

class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 42;
}
/** Its text contains more than its message. */
class Chatty extends Error {
  override toString(): string {
    return `${this.message} 1234`;
  }
}
const clean: HookDefinition = {
  name: 'clean',
  on: {
    postActing: (event) =>
      modify(event, { result: { ...event.result, content: event.result.content.replace('1234', '****') } }),
  },
};

/** The errors that host, model and hooks receive from a throwing tool. */
async function thrownBy(thrown: unknown, hooks: readonly HookDefinition[] | 'none') {
  const scene = hooks === 'none' ? undefined : hooked(hooks);
  const { generateText } = (scene ?? ai) as typeof ai;
  const model = modelOf(calls('look', { at: 'x' }), says('done'));
  const tools = look(() => {
    throw thrown;
  });
  const { steps } = await generateText({ model, tools, stopWhen, prompt: 'go' });
  const part = steps[0]?.content.find(({ type }) => type === 'tool-error') as { readonly error: unknown };
  const read = model.doGenerateCalls[1]?.prompt.at(-1)?.content[0] as { readonly output: { readonly value: unknown } };
  const seen = scene?.recorded.of('postActing').map(({ result }) => result.content);
  return { error: part.error, read: read.output.value, seen };
}

describe('an AI SDK tool that throws', () => {
  it('passes the host its own error, and the model the same text as without hooks', async () => {
    for (const thrown of [new Refused('boom'), new TypeError(''), 'boom', { code: 7 }]) {
      const { error, read } = await thrownBy(thrown, [watch]);
      const bare = await thrownBy(thrown, 'none');
      expect(error).to.equal(thrown);
      expect(read).to.equal(bare.read);
    }
  });

  it('shows hooks its message', async () => {
    const { seen } = await thrownBy(new Refused('boom'), [watch]);
    expect(seen).to.deep.equal(['Tool "look" failed: boom']);
  });

  it('returns its text as changed by hooks, and nothing of the original error', async () => {
    for (const thrown of [new Refused('code 1234'), 'code 1234', { code: '1234' }]) {
      const { error, read } = await thrownBy(thrown, [clean]);
      expect(error).to.be.instanceOf(Error);
      expect(error).to.not.equal(thrown);
      expect(JSON.stringify([read, String(error)]))
        .to.include('****')
        .and.not.include('1234');
    }
  });

  it('returns nothing that hooks have not seen', async () => {
    const long = `${'x'.repeat(10_000)}1234`;
    for (const thrown of [new Chatty('boom'), new Error(long), long, { long }]) {
      const { error, read } = await thrownBy(thrown, [clean]);
      expect(JSON.stringify([read, String(error)])).to.not.include('1234');
    }
  });

  it('returns a value if a hook replaces its error by one', async () => {
    const mend: HookDefinition = {
      name: 'mend',
      on: { postActing: (event) => modify(event, { result: { content: 'mended', isError: false } }) },
    };
    const { generateText } = hooked([mend]);
    const tools = look(() => {
      throw new Refused('boom');
    });
    const model = modelOf(calls('look', { at: 'x' }), says('done'));
    const { steps } = await generateText({ model, tools, stopWhen, prompt: 'go' });
    expect(steps[0]?.toolResults[0]?.output).to.equal('mended');
  });
});
