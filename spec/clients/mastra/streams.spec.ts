import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { abort } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { type Any, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };

describe('a Mastra stream', () => {
  it('rejects all its promises after an abort, without unhandled rejections', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', hear);
    const { agent } = scene({
      turns: [mild],
      hooks: [{ name: 'h', on: { postReasoning: (event) => abort(event, 'no more') } }],
    });
    const result: Any = await agent.stream('Go!');
    expect(result.text).to.equal(result.text);
    for (const name of ['text', 'steps', 'usage', 'totalUsage', 'finishReason', 'toolResults', 'response'])
      expect((await rejection(result[name])).code, name).to.equal('RUN_ABORTED');
    for (const name of ['reasoning', 'toolCalls', 'sources']) result[name];
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', hear);
    expect(unhandled).to.deep.equal([]);
  });

  it('is collected with its run if it is never read', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { agent } = scene({ turns: [mild, mild, mild] });
    const begun = async (): Promise<WeakRef<object>> => {
      const onEvent = (): void => {};
      await agent.stream('Go!', { hookline: { onEvent } });
      return new WeakRef(onEvent);
    };
    const runs = [await begun(), await begun(), await begun()];
    for (let i = 0; i < 100 && runs.some((run) => run.deref()); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    expect(runs.filter((run) => run.deref())).to.have.length(0);
  });
});
