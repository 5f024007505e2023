import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  type HooklineError,
  openSnapshot,
  type Snapshot,
  signSnapshot,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

async function snapshot(): Promise<Snapshot> {
  const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: { amount: 5 } }] }]);
  const pipeline = createPipeline([defineHook({ name: 'ask', approve: () => verdict.suspend('pay?') })]);
  const post = await createAgent({
    name: 'a',
    model,
    tools: [scriptedTool({ name: 'pay', result: 'ok' })],
    pipeline,
  }).call('go');
  return post.snapshot as unknown as Snapshot;
}

const code = (thrown: unknown) => (thrown as HooklineError).code;

describe('a signed snapshot', () => {
  it('opens with the secret that signed it, text or bytes', async () => {
    const taken = await snapshot();
    for (const secret of ['s'.repeat(32), crypto.getRandomValues(new Uint8Array(32))]) {
      expect(await openSnapshot(await signSnapshot(taken, secret), secret)).to.deep.equal(taken);
    }
  });

  it('does not open if it was changed, truncated or signed with another secret', async () => {
    const signed = await signSnapshot(await snapshot(), 'secret');
    for (const bad of [
      signed.replace('"amount":5', '"amount":500'),
      signed.slice(0, -1),
      signed.slice(65),
      '',
      'x.{}',
    ]) {
      expect(code(await openSnapshot(bad, 'secret').catch((thrown: unknown) => thrown))).to.equal('SNAPSHOT_INVALID');
    }
    expect(code(await openSnapshot(signed, 'other').catch((thrown: unknown) => thrown))).to.equal('SNAPSHOT_INVALID');
  });

  it('cannot be signed with an empty secret', async () => {
    expect(code(await signSnapshot(await snapshot(), '').catch((thrown: unknown) => thrown))).to.equal(
      'OPTIONS_INVALID',
    );
  });
});
