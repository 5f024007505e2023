import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import type { Agent } from '../../../lib/agent/agent.ts';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { loopGuard } from '../../../lib/hooks/loop-guard/loop-guard.ts';
import type { LoopGuardOptions } from '../../../lib/hooks/loop-guard/loop-guard-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool, type Tool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

let looked = 0;
const tool = (name: string, execute: Tool['execute'] = () => 'seen') =>
  defineTool({ name, description: name, inputSchema: { type: 'object' }, permission: 'read', execute });
const tools = [tool('look'), tool('think'), tool('count', () => String(++looked))];

type Call = string | { readonly name: string; readonly input: object };
type Turn = readonly Call[] | string;
const turnsOf = (turns: readonly Turn[]) =>
  turns.map((turn) =>
    typeof turn === 'string'
      ? turn
      : { toolCalls: turn.map((call) => (typeof call === 'string' ? { name: call, input: {} } : call)) as never },
  );

/** An agent that makes these calls in turn, with its warnings and its outcome. */
function scene(turns: readonly Turn[], options: LoopGuardOptions = {}, more: readonly Hook[] = [], added: Tool[] = []) {
  const said: string[] = [];
  const reader = defineHook({
    name: 'reader',
    observe: ({ notes = [], run, iteration }) =>
      void said.push(
        ...notes.map(({ code, data }) => `${run.agent} ${iteration} ${code} ${(data as { times: number }).times}`),
      ),
  });
  const pipeline = createPipeline([loopGuard(options), ...more, reader]);
  const model = scriptedModel(turnsOf(turns));
  const agent = createAgent({ name: 'a', model, tools: [...tools, ...added], pipeline });
  return { agent, model, said };
}

const call = async (agent: Agent) => {
  const { outcome, message } = await agent.call('go', { sessionId: 's' });
  return `${outcome}: ${textOf(message)}`;
};

describe('loopGuard', () => {
  it('warns a model that repeats the same call, then lets it answer without tools', async () => {
    const { agent, model, said } = scene([...Array(5).fill(['look']), 'That is all.', 'never']);
    expect(await call(agent)).to.equal('finished: That is all.');
    expect(said).to.deep.equal(['a 4 loop-warning 3', 'a 5 loop-warning 4', 'a 6 loop-finish 5']);
    const last = model.requests.map(({ messages }) => messages.at(-1));
    expect(textOf(last[3])).to.equal(
      'The same call of look was made 3 times in a row. Another repetition will not help. Try another approach, or answer with what you know.',
    );
    expect(last[3]).to.include({ role: 'user', origin: 'loop-guard' });
    expect(model.requests[5]?.tools).to.deep.equal([]);
    expect(model.requests[5]?.options.toolChoice).to.equal('none');
    expect(JSON.stringify(model.requests[5]?.messages)).not.to.contain('Another repetition');
  });

  it('warns of two alternating calls, in any order', async () => {
    const turns = [['look'], ['think'], ['look'], ['think'], ['look'], ['think'], 'done'];
    const { agent, said, model } = scene(turns);
    expect(await call(agent)).to.equal('completed: done');
    expect(said).to.deep.equal(['a 7 loop-warning 3']);
    expect(textOf(model.requests[6]?.messages.at(-1))).to.contain(
      'The same sequence of calls of look and think was made 3 times',
    );
    const both = scene([['look', 'think'], ['think', 'look'], ['look', 'think'], 'done']);
    await call(both.agent);
    expect(both.said).to.deep.equal(['a 4 loop-warning 3']);
  });

  it('warns of several calls in turn, up to the longest cycle', async () => {
    const round = [['look'], ['think'], [{ name: 'look', input: { at: 'b' } }]] as const;
    const turns: Turn[] = [...round, ...round, ...round, 'That is all.', 'never'];
    const { agent, said, model } = scene(turns, { warnAt: 2, finishAt: 3 });
    expect(await call(agent)).to.equal('finished: That is all.');
    expect(said.at(0)).to.equal('a 7 loop-warning 2');
    expect(said.at(-1)).to.equal('a 10 loop-finish 3');
    expect(textOf(model.requests[6]?.messages.at(-1))).to.contain(
      'The same sequence of calls of look, think and look was made 2 times.',
    );
    const short = scene([...turns.slice(0, -2), 'done'], { warnAt: 2, finishAt: 3, cycle: 2 });
    expect(await call(short.agent)).to.equal('completed: done');
    expect(short.said).to.deep.equal([]);
  });

  it('warns of calls that differ by a counter or white space', async () => {
    const counted = [1, 2, 3].map((n) => [{ name: 'look', input: { n } }]);
    const spaced = ['a', 'a ', ' a'].map((at) => [{ name: 'look', input: { at } }]);
    const between = counted.flatMap((turn) => [turn, ['think']]);
    for (const [turns, at] of [
      [counted, 4],
      [spaced, 4],
      [between, 7],
    ] as const) {
      const { agent, said } = scene([...turns, 'done'] as Turn[]);
      expect(await call(agent)).to.equal('completed: done');
      expect(said).to.deep.equal([`a ${at} loop-warning 3`]);
    }
    const off = scene([...counted, 'done'], { counters: false });
    expect(await call(off.agent)).to.equal('completed: done');
    expect(off.said).to.deep.equal([]);
  });

  it('does not warn after another call or for another input', async () => {
    const other = (at: string) => [{ name: 'look', input: { at } }];
    for (const turns of [
      [['look'], ['look'], ['think'], ['look'], ['look'], 'done'],
      [other('1.a'), other('b'), other('c'), other('d'), other('e'), 'done'],
      [...[5, 4, 3, 2, 1].map((n) => [{ name: 'look', input: { n } }]), 'done'],
      [['look'], other('a'), ['think'], ['look'], other('b'), ['think'], ['look'], 'done'],
    ] as Turn[][]) {
      const { agent, said } = scene(turns);
      expect(await call(agent)).to.equal('completed: done');
      expect(said).to.deep.equal([]);
    }
  });

  it('treats inputs with another order of fields as equal', async () => {
    const one = [{ name: 'look', input: { a: 1, b: 2 } }];
    const two = [{ name: 'look', input: { b: 2, a: 1 } }];
    const { agent, said } = scene([one, two, one, 'done']);
    await call(agent);
    expect(said).to.deep.equal(['a 4 loop-warning 3']);
  });

  it('counts calls of one message once, because they are concurrent', async () => {
    const { agent, said } = scene([['look', 'look', 'look', 'look', 'look'], 'done']);
    expect(await call(agent)).to.equal('completed: done');
    expect(said).to.deep.equal([]);
  });

  it('allows polling with different results, and tools that may repeat', async () => {
    const turns = [...Array(6).fill(['count']), 'done'];
    const polling = scene(turns);
    expect(await call(polling.agent)).to.equal('completed: done');
    expect(polling.said).to.deep.equal([]);
    expect(await call(scene(turns, { sameResult: false }).agent)).to.match(/^finished/);
    expect(await call(scene(turns, { sameResult: false, except: ['co*'] }).agent)).to.equal('completed: done');
    const same = scene([...Array(6).fill(['look']), 'done'], { except: ['lo*'] });
    expect(await call(same.agent)).to.equal('completed: done');
  });

  it('counts denied and failed calls by their judged input', async () => {
    const failing = tool('fail', () => {
      throw new Error('no');
    });
    const no = defineHook({ name: 'no', match: { tools: ['think'] }, approve: () => verdict.deny('no') });
    for (const name of ['fail', 'think']) {
      const { agent, said } = scene([[name], [name], [name], 'done'], {}, [no], [failing]);
      await call(agent);
      expect(said, name).to.deep.equal(['a 4 loop-warning 3']);
    }
  });

  it('treats a credential that is sealed again for each call as equal', async () => {
    const sealing = defineHook({
      name: 'sealing',
      on: {
        preActing: (event, { seal }) =>
          ({ ...event, toolCall: { ...event.toolCall, input: { token: seal('token', 'assembled') } } }) as never,
      },
    });
    const { agent, said } = scene([['look'], ['look'], ['look'], 'done'], {}, [sealing]);
    await call(agent);
    expect(said).to.deep.equal(['a 4 loop-warning 3']);
  });

  describe('with sub-agents', () => {
    const helper = (turns: readonly Turn[]) =>
      agentTool(createAgent({ name: 'helper', model: scriptedModel(turnsOf(turns)), tools }), { description: 'helps' });
    const help = (prompt: string) => ({ name: 'helper', input: { prompt } });

    it('ends the loop of a sub-agent, and its parent continues', async () => {
      const child = helper([...Array(5).fill(['look']), 'I looked.', 'never']);
      const { agent, said } = scene([[help('look')], 'done'], {}, [], [child]);
      expect(await call(agent)).to.equal('completed: done');
      expect(said.at(-1)).to.equal('helper 6 loop-finish 5');
    });

    it('shares earlier calls between sub-agents and their parent run', async () => {
      const child = helper([['look'], 'a', ['look'], 'b', ['look'], 'c', 'd']);
      const { agent, said } = scene([[help('1')], [help('2')], [help('3')], 'done'], {}, [], [child]);
      expect(await call(agent)).to.equal('completed: done');
      expect(said).to.deep.equal(['helper 2 loop-warning 3', 'a 4 loop-warning 3']);
    });

    it('counts concurrent calls of several once', async () => {
      const child = helper([['look'], 'a', ['look'], 'b', ['look'], 'c']);
      const side = scene([[help('1'), help('2'), help('3')], 'done'], {}, [], [child]);
      await call(side.agent);
      expect(side.said.filter((line) => line.startsWith('a '))).to.deep.equal([]);
    });

    it('counts the same delegation for any outcome', async () => {
      const child = helper([['count'], 'a', 'b', ['look'], 'c', 'd', 'e']);
      const { agent, said } = scene([[help('x')], [help('x')], [help('x')], 'done'], {}, [], [child]);
      await call(agent);
      expect(said.filter((line) => line.startsWith('a '))).to.deep.equal(['a 4 loop-warning 3']);
    });
  });

  it('continues to count when a suspended run is resumed', async () => {
    const ask = defineHook({
      name: 'ask',
      approve: (_, { state: __, run }) => (run.resumedFrom ? verdict.allow() : verdict.suspend('May it?')),
    });
    const second = [['look'], ['look'], 'done'] as const;
    const { agent, said } = scene([['look'], ...second], {}, [ask]);
    const { snapshot } = await agent.call('go', { sessionId: 's' });
    const parsed = JSON.parse(JSON.stringify(snapshot)) as { pending: { key: string }[] };
    const answers = { [parsed.pending[0]?.key as string]: { approved: true } };
    await lastValueFrom(agent.resume(parsed as never, answers).pipe(toArray()));
    expect(said).to.deep.equal(['a 4 loop-warning 3']);
  });

  it('keeps runs apart', async () => {
    const { agent, said } = scene([['look'], ['look'], 'done', ['look'], 'done']);
    await call(agent);
    await call(agent);
    expect(said).to.deep.equal([]);
  });

  it('rejects invalid options', () => {
    expect(() => loopGuard({ warnAt: 5, finishAt: 5 }))
      .to.throw('finishAt: must be greater than warnAt')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => loopGuard({ warnAt: 1 })).to.throw(/warnAt/);
  });

  it('keeps the hook contract', () => hookContract(loopGuard()));
});
