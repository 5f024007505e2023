import * as ai from 'ai';
import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, says, stopWhen, watch } from './scene.ts';

class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 42;
}
/** Says more than its message does. */
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

/** What the host and the model get of a tool that throws, and what hooks have seen of it. */
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

describe('a tool of the AI SDK that throws', () => {
  it('gives the host its own error, and the model what it reads without hooks', async () => {
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

  it('gives what hooks have made of its text, and nothing of what it has thrown', async () => {
    for (const thrown of [new Refused('code 1234'), 'code 1234', { code: '1234' }]) {
      const { error, read } = await thrownBy(thrown, [clean]);
      expect(error).to.be.instanceOf(Error);
      expect(error).to.not.equal(thrown);
      expect(JSON.stringify([read, String(error)]))
        .to.include('****')
        .and.not.include('1234');
    }
  });

  it('gives nothing that hooks have not seen', async () => {
    const long = `${'x'.repeat(10_000)}1234`;
    for (const thrown of [new Chatty('boom'), new Error(long), long, { long }]) {
      const { error, read } = await thrownBy(thrown, [clean]);
      expect(JSON.stringify([read, String(error)])).to.not.include('1234');
    }
  });

  it('gives a value where a hook has made one of its error', async () => {
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
