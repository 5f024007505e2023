import { expect } from 'chai';
import { timeout } from 'rxjs';
import { finish } from '../../../lib/index.ts';
import { call, read, scene } from './scene.ts';

const turns = [{ chunks: ['Looking.'], calls: [call('c1', 'look')] }, { chunks: ['Done.'] }];
const end = { name: 'end', on: { postActing: (event: never) => finish(event) } } as never;

describe('ends of OpenAI Agents runs with hooks', () => {
  it('have the text of the last answer if a hook finishes after a tool', async () => {
    const { run, agent, tool } = scene(turns, [end]);
    const result = await run(agent('one', { tools: [tool('look')] }), 'Go!');
    expect(result.finalOutput).to.equal('Looking.');
  });

  it("follow the agent's settings if no hook finishes", async () => {
    for (const toolUseBehavior of [
      'stop_on_first_tool',
      { stopAtToolNames: ['look'] },
      () => ({ isFinalOutput: true, finalOutput: 'looked' }),
    ]) {
      const { run, agent, tool, recorded } = scene(turns);
      const one = agent('one', { tools: [tool('look', () => 'looked')], toolUseBehavior });
      expect((await run(one, 'Go!')).finalOutput).to.equal('looked');
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
    }
  });

  it("reach a call at the host's timeout, even if its tool continues", async () => {
    const { run, agent, tool, recorded } = scene(turns);
    const waits = tool('look', () => new Promise((resolve) => setTimeout(resolve, 300)), { timeoutMs: 20 });
    expect((await run(agent('one', { tools: [waits] }), 'Go!')).finalOutput).to.equal('Done.');
    const types = recorded.events.map(({ type }) => type).filter((type) => type.startsWith('post'));
    expect(types).to.deep.equal(['postReasoning', 'postActing', 'postReasoning', 'postCall']);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('reach a tool whose call a hook cuts off', async () => {
    let reason: unknown;
    const slow = {
      name: 'slow',
      around: { acting: (_: unknown, next: () => import('rxjs').Observable<never>) => next().pipe(timeout(5)) },
    } as never;
    const { run, agent, tool, recorded, model } = scene(turns, [slow]);
    const waits = tool('look', undefined, {
      execute: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise(() => signal.addEventListener('abort', () => (reason = signal.reason))),
    });
    const result = await run(agent('one', { tools: [waits] }), 'Go!');
    expect(result.finalOutput).to.equal('Done.');
    expect(reason).not.to.equal(undefined);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
    expect(JSON.stringify(model.requests[1]!.input)).to.include('Timeout');
  });

  it('are cancelled if a stream is abandoned while a tool runs', async () => {
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const { run, agent, tool, recorded } = scene(turns);
    const result = await run(agent('one', { tools: [tool('look', () => left)] }), 'Go!', { stream: true });
    for await (const event of result) if (event.name === 'tool_called') break;
    leave();
    await result.completed;
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('are reported before a stream ends', async () => {
    const { run, agent, recorded } = scene([{ chunks: ['Done.'] }]);
    await read(await run(agent('one'), 'Go!', { stream: true }));
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });
});
