import { expect } from 'chai';
import { redacting, SEALED, TAKEN } from '../../redacting.ts';
import { collected, withinReach } from '../../within-reach.ts';
import { go, looksAt, lookTool, scene, thread } from '../scene.ts';

const MODES = ['messages', 'tools', 'custom', 'updates', 'values', 'debug', 'checkpoints', 'tasks'];

/** A handler that keeps its arguments unchanged. */
function keeper(kept: unknown[]): object {
  return new Proxy(
    { name: 'keeper', awaitHandlers: true },
    {
      get: (target, name) =>
        String(name).startsWith('handle') ? (...given: unknown[]) => void kept.push(given) : Reflect.get(target, name),
      has: (target, name) => String(name).startsWith('handle') || name in target,
    },
  );
}

describe('data of a run that LangChain receives', () => {
  const ways: Readonly<Record<string, (agent: ReturnType<typeof scene>['agent'], config: object) => Promise<unknown>>> =
    {
      invoke: (agent, config) => agent.invoke(go, config),
      stream: (agent, config) => collected(agent.stream(go, { ...config, streamMode: MODES })),
      'streamEvents v2': (agent, config) => collected(agent.streamEvents(go, { ...config, version: 'v2' })),
    };
  for (const [way, work] of Object.entries(ways)) {
    it(`contains no removed text and no sealed value: ${way}`, async () => {
      const kept: unknown[] = [];
      const answers = [{ ...looksAt('x'), chunks: [`It is ${TAKEN}. `] }, { chunks: ['It is ', `${TAKEN}.`] }];
      const ran: string[] = [];
      const tool = lookTool('look', ran, (at) => `${at} says ${TAKEN}.`);
      const { agent, model } = scene({ hooks: [redacting], turns: answers, tools: [tool] });
      const came = await work(agent, { ...thread, callbacks: [keeper(kept)] });
      expect(ran).to.deep.equal([`look ${SEALED}`]);
      const own = [model, tool, answers];
      expect(withinReach([came, kept, agent], [TAKEN, SEALED], own)).to.deep.equal([]);
      expect(withinReach([came, kept], ['gone'], own)).not.to.deep.equal([]);
    });
  }
});
