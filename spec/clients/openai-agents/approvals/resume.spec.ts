import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunState, toolNamespace } from '@openai/agents-core';
import { expect } from 'chai';
import { modify, verdict } from '../../../../lib/index.ts';
import { pendingCallStore } from '../../../../lib/loops/index.ts';
import { fileStateStore } from '../../../../lib/store/state/file-state-store.ts';
import { memoryStateStore } from '../../../../lib/store/state/memory-state-store.ts';
import { tempFolder } from '../../../temp-folder.ts';
import { call, type Result, scene } from '../scene.ts';
import { guard } from './resume-guard.ts';

const asks = { name: 'asks', approve: () => verdict.suspend('Really?') };
const safe = {
  name: 'safe',
  on: {
    preActing: (event: never) => {
      const { toolCall } = event as { toolCall: { input: { at: string } } };
      const { at } = toolCall.input;
      return modify(event, {
        toolCall: { ...toolCall, input: { at: at.startsWith('/safe') ? at : `/safe${at}` } } as never,
      });
    },
  },
} as never;
const look = [{ calls: [call('c1', 'look', { at: '/a' })] }, { chunks: ['Done.'] }];
const two = [{ calls: [call('c1', 'look', { at: '/a' }), call('c2', 'peek')] }, { chunks: ['Done.'] }];

function folderStore() {
  return pendingCallStore(memoryStateStore());
}

function approveAll(state: Result): Result {
  for (const question of state.getInterruptions()) state.approve(question);
  return state;
}

describe('suspended runs of OpenAI Agents', () => {
  it('continue with the same state', async () => {
    const { run, agent, tool, ran, recorded } = scene(look, [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const result = await run(one, 'Go!');
    expect(ran).to.deep.equal([]);
    const after = await run(one, approveAll(result.state));
    expect([after.finalOutput, ran]).to.deep.equal(['Done.', ['look {"at":"/a"}']]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
    const [first, second] = recorded.of('preCall');
    expect(second!.run.resumedFrom).to.equal(first!.run.runId);
  });

  it('run the judged call if it was stored', async () => {
    const pendingCalls = folderStore();
    const first = scene(look, [safe, asks], { pendingCalls });
    const result = await first.run(first.agent('one', { tools: [first.tool('look')] }), 'Go!');
    const second = scene(look.slice(1), [safe, asks], { pendingCalls });
    const one = second.agent('one', { tools: [second.tool('look')] });
    const after = await second.run(one, approveAll(await RunState.fromString(one, String(result.state))));
    expect([after.finalOutput, second.ran]).to.deep.equal(['Done.', ['look {"at":"/safe/a"}']]);
  });

  it('continue in another process', async () => {
    const folder = tempFolder('resume');
    const pendingCalls = pendingCallStore(fileStateStore(join(folder, 'pending')));
    const { run, agent, tool, ran } = scene(look, guard, { pendingCalls });
    const result = await run(agent('one', { tools: [tool('look')] }), 'Go!');
    expect([result.interruptions.length, ran]).to.deep.equal([1, []]);
    writeFileSync(join(folder, 'state.json'), String(result.state));
    const source = ['-C', 'hookline:source', '-r', 'ts-node/register', join(__dirname, 'resume-elsewhere.ts')];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...source,
      join(folder, 'state.json'),
      join(folder, 'pending'),
    ]);
    expect(JSON.parse(stdout)).to.deep.equal(['Done.', ['look {"at":"/safe"}']]);
  });

  it('reject an approval of a call that differs from the shown one, unless stored', async () => {
    const first = scene(look, [safe, asks]);
    const result = await first.run(first.agent('one', { tools: [first.tool('look')] }), 'Go!');
    const second = scene(look.slice(1), [safe, asks]);
    const one = second.agent('one', { tools: [second.tool('look')] });
    await second.run(one, approveAll(await RunState.fromString(one, String(result.state))));
    expect(second.ran).to.deep.equal([]);
    expect(JSON.stringify(second.model.requests[0]!.input)).to.include('Really?');
    expect(second.recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied']);
  });

  it('accept an approval once, in memory too', async () => {
    const { run, agent, tool, ran } = scene([...look, ...look.slice(1)], [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const state = String((await run(one, 'Go!')).state);
    const again = async (): Promise<Result> => run(one, approveAll(await RunState.fromString(one, state)));
    await again();
    expect(ran).to.have.length(1);
    await again();
    expect(ran).to.have.length(1);
  });

  it('accept no approval without the stored call if they have a store', async () => {
    const first = scene(look, [asks], { pendingCalls: folderStore() });
    const result = await first.run(first.agent('one', { tools: [first.tool('look')] }), 'Go!');
    const second = scene(look.slice(1), [asks], { pendingCalls: folderStore() });
    const one = second.agent('one', { tools: [second.tool('look')] });
    await second.run(one, approveAll(await RunState.fromString(one, String(result.state))));
    expect(second.ran).to.deep.equal([]);
  });

  it('run the edited input of an answer', async () => {
    const { run, agent, tool, ran } = scene(look, [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const result = await run(one, 'Go!');
    const answers = { c1: { approved: true, input: { at: '/b' } } };
    const after = await run(one, result.state, { hookline: { answers } });
    expect([after.finalOutput, ran]).to.deep.equal(['Done.', ['look {"at":"/b"}']]);
  });

  it('return the reason of a denial to the model and to hooks', async () => {
    const { run, agent, tool, ran, recorded, model } = scene(look, [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const result = await run(one, 'Go!');
    await run(one, result.state, { hookline: { answers: { c1: { approved: false, reason: 'not that one' } } } });
    expect(ran).to.deep.equal([]);
    expect(JSON.stringify(model.requests[1]!.input)).to.include('not that one');
    const [post] = recorded.of('postActing');
    expect([post!.outcome, post!.result.content]).to.deep.equal([
      'denied',
      'The call was denied by hook "asks": not that one',
    ]);
  });

  it('stay pending until each call is answered', async () => {
    const pendingCalls = folderStore();
    const { run, agent, tool, ran, recorded } = scene(two, [asks], { pendingCalls });
    const one = agent('one', { tools: [tool('look'), tool('peek')] });
    const result = await run(one, 'Go!');
    const [first] = result.state.getInterruptions();
    result.state.approve(first);
    const half = await run(one, result.state);
    expect(half.interruptions).to.have.length(1);
    expect(ran).to.deep.equal(['look {"at":"/a"}']);
    const after = await run(one, approveAll(half.state));
    expect([after.finalOutput, ran]).to.deep.equal(['Done.', ['look {"at":"/a"}', 'peek {}']]);
    const outcomes = recorded.of('postCall').map(({ outcome }) => outcome);
    expect(outcomes).to.deep.equal(['suspended', 'suspended', 'completed']);
    expect(recorded.of('postActing').map(({ toolCall }) => toolCall.id)).to.deep.equal(['c1', 'c2']);
  });

  it('run allowed calls next to a pending one, once', async () => {
    const only = {
      name: 'asks',
      approve: (event: never) =>
        (event as { toolCall: { name: string } }).toolCall.name === 'look'
          ? verdict.suspend('Really?')
          : verdict.allow(),
    } as never;
    const { run, agent, tool, ran } = scene(two, [only]);
    const one = agent('one', { tools: [tool('look'), tool('peek')] });
    const result = await run(one, 'Go!');
    expect(ran).to.deep.equal(['peek {}']);
    await run(one, approveAll(result.state));
    expect(ran).to.deep.equal(['peek {}', 'look {"at":"/a"}']);
  });

  it('forward the approval prompt of a tool', async () => {
    const { run, agent, tool, ran, recorded } = scene(look);
    const one = agent('one', { tools: [tool('look', undefined, { needsApproval: true })] });
    const result = await run(one, 'Go!');
    expect(ran).to.deep.equal([]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended']);
    await run(one, approveAll(result.state));
    expect(ran).to.deep.equal(['look {"at":"/a"}']);
  });

  it('reject a later call with a prompt after a lasting approval in the host', async () => {
    const turns = [look[0]!, { calls: [call('c2', 'look', { at: '/b' })] }, { chunks: ['Done.'] }];
    const { run, agent, tool, ran, recorded } = scene(turns, [asks]);
    const one = agent('one', { tools: [tool('look')] });
    const result = await run(one, 'Go!');
    const [question] = result.state.getInterruptions();
    result.state.approve(question, { alwaysApprove: true });
    await run(one, result.state);
    expect(ran).to.deep.equal(['look {"at":"/a"}']);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'denied']);
  });

  it('run a tool of a namespace', async () => {
    const named = { ...call('c1', 'look', { at: '/a' }), namespace: 'far' };
    const { run, agent, tool, ran } = scene([{ calls: [named] }, look[1]!], [asks]);
    const tools = toolNamespace({ name: 'far', description: 'Things far away.', tools: [tool('look')] });
    const one = agent('one', { tools });
    const result = await run(one, 'Go!');
    expect(ran).to.deep.equal([]);
    await run(one, approveAll(result.state));
    expect(ran).to.deep.equal(['look {"at":"/a"}']);
  });

  it('keep the agent after a handoff', async () => {
    const turns = [{ calls: [call('h1', 'transfer_to_second')] }, ...look];
    const { run, agent, tool, ran } = scene(turns, [
      { name: 'asks', match: { tools: ['look'] }, approve: () => verdict.suspend('Really?') },
    ]);
    const one = agent('first', { handoffs: [agent('second', { tools: [tool('look')] })] });
    const result = await run(one, 'Go!');
    const after = await run(one, approveAll(await RunState.fromString(one, String(result.state))));
    expect([after.lastAgent.name, after.finalOutput, ran]).to.deep.equal(['second', 'Done.', ['look {"at":"/a"}']]);
  });
});
