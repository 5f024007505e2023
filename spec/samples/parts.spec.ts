import { expect } from 'chai';
import { abort, createAgent, createPipeline, defineHook } from 'hookline';
import { hookContract, scriptedModel, scriptedTool } from 'hookline/testing';
import { filter, lastValueFrom, map, toArray } from 'rxjs';
import { calm, noCards, noForce, noThinking, patient, types, watcher } from '../../samples/parts.ts';

describe('samples/parts', () => {
  it('satisfies the contract of hooks', async () => {
    for (const hook of [calm, noThinking, patient, noForce, noCards, watcher]) await hookContract(hook);
  });

  it('works as README describes', async () => {
    const model = scriptedModel([
      { error: { message: 'overloaded' } },
      { thinking: 'Hm.', text: 'Now!', toolCalls: [{ name: 'push', input: { line: 'git push --force' } }] },
      'Card 4111111111111111!',
    ]);
    const end = defineHook({
      name: 'end',
      on: { postReasoning: (event) => (event.iteration > 1 ? abort(event, '4111111111111111 was said') : undefined) },
    });
    const hooks = [calm, noThinking, patient, noForce, noCards, watcher, end];
    const tools = [scriptedTool({ name: 'push', permission: 'external', result: 'pushed' })];
    const agent = createAgent({ name: 'a', model, tools, pipeline: createPipeline(hooks) });
    const told = await lastValueFrom(
      agent.run('go').pipe(
        filter(({ type }) => type === 'reasoningChunk' || type === 'postActing' || type === 'postCall'),
        map((event) => {
          if (event.type === 'reasoningChunk') return event.delta;
          if (event.type === 'postActing') return `${event.outcome} ${event.result.content}`;
          return event.type === 'postCall' ? event.reason : undefined;
        }),
        filter((line) => line !== undefined && line !== ''),
        toArray(),
      ),
    );
    expect(told).to.deep.equal([
      'Now.',
      'denied The call was denied by hook "no-force": no --force',
      'Card 4111111111111111.',
      'hook "end": **** was said',
    ]);
    expect([...types]).to.include.members(['preCall', 'preReasoning', 'reasoningChunk', 'postActing', 'postCall']);
  });
});
