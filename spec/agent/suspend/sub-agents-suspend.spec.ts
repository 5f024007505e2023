import { expect } from 'chai';
import { concat, concatWith, defer, EMPTY, map, merge, of, retry, throwError } from 'rxjs';
import { z } from 'zod';
import {
  type Answers,
  agentTool,
  createAgent,
  defineHook,
  defineTool,
  type Hook,
  type JsonObject,
  type Model,
  type ModelChunk,
  pendingCalls,
  type ToolItem,
  textOf,
  verdict,
} from '../../../lib/index.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { play, show, stage } from '../../acceptance/scene.ts';
import { call, family } from '../family.ts';

const ask = () => defineHook({ name: 'ask', match: { tools: ['rm'] }, approve: () => verdict.suspend('sure?') });
const yes = (snapshot: JsonObject): Answers =>
  Object.fromEntries(pendingCalls(snapshot).map(({ key }) => [key, { approved: true }]));

describe('a sub-agent that suspends', () => {
  it('suspends its parent, with its snapshot nested, its key and its name', () => {
    const { run, rm } = family({ hooks: [ask()] });
    const { post, lines } = run();
    expect(lines('postCall')).to.deep.equal(['helper: postCall suspended', 'postCall suspended']);
    const [pending, ...others] = pendingCalls(post.snapshot ?? {});
    expect(others).to.be.empty;
    expect(pending).to.deep.include({ agent: 'helper', prompt: 'sure?', by: 'ask' });
    expect(pending?.toolCall.name).to.equal('rm');
    expect(rm.calls).to.be.empty;
  });

  it('continues with its parent in another process without a repeated model request', () => {
    const { snapshot = {} } = family({ hooks: [ask()] }).run().post;
    const other = family({ hooks: [ask()], turns: ['ok'], child: ['helped'] });
    const copy = JSON.parse(JSON.stringify(snapshot));
    const resumed = play(other.agent.resume(copy, yes(copy)));
    expect(resumed.lines('postActing', 'postCall')).to.deep.equal([
      'helper: postActing call_1 executed "gone"',
      'helper: postCall completed "helped"',
      'postActing call_1 executed "helped"',
      'postCall completed "ok"',
    ]);
    expect(other.rm.calls).to.have.length(1);
    expect(other.childModel.requests).to.have.length(1);
    const child = resumed.events.find(({ run }) => run.depth === 1)?.run;
    expect(child?.resumedFrom).to.be.a('string');
    expect(child?.parentRunId).to.equal(resumed.post.run.runId);
  });

  it('is asked about again if its answer is missing', () => {
    const { run, agent } = family({ hooks: [ask()] });
    const { snapshot = {} } = run().post;
    const second = play(agent.resume(snapshot, {}));
    expect(second.post.outcome).to.equal('suspended');
    expect(pendingCalls(second.post.snapshot ?? {}).map(({ agent: name }) => name)).to.deep.equal(['helper']);
  });

  it('is distinguished from a pending call of its parent', () => {
    const both = { toolCalls: [call('helper', { prompt: 'x' }), call('rm', { path: 'b' })] };
    const parentRm = scriptedTool({ name: 'rm', result: 'gone too' });
    const { helper, rm } = family({});
    const scene = stage({
      turns: [both, 'ok'],
      tools: [agentTool(helper, { description: 'helps' }), parentRm],
      hooks: [ask()],
    });
    const { snapshot = {} } = scene.run().post;
    const pending = pendingCalls(snapshot);
    expect(pending.map(({ agent }) => agent)).to.have.members(['helper', 'MyAgent']);
    expect(new Set(pending.map(({ key }) => key)).size).to.equal(2);
    const answers = Object.fromEntries(pending.map(({ key, agent }) => [key, { approved: agent === 'helper' }]));
    expect(play(scene.agent.resume(snapshot, answers)).post.outcome).to.equal('completed');
    expect([rm.calls.length, parentRm.calls.length]).to.deep.equal([1, 0]);
    expect(scene.asked(1).at(-1)).to.equal(
      'tool: [helped] [failed: The call was denied by hook "ask": the user declined]',
    );
  });

  describe('with other sub-agents in its call', () => {
    /** A tool that runs `helper` once for each prompt, with the requests after a resume. */
    function twice(together: boolean, own: readonly Hook[] = []) {
      const rm = scriptedTool({ name: 'rm', result: 'gone' });
      const model: Model = ({ messages }) => {
        const asked = messages.filter(({ role }) => role !== 'assistant').map((message) => show([message])[0]);
        const rms = asked.length === 1 && asked[0] === 'user: second';
        const toolCall = { id: 'x', name: 'rm', input: {} };
        return of<ModelChunk>(rms ? { type: 'toolCall', toolCall } : { type: 'text', delta: asked.join(', ') });
      };
      const helper = createAgent({ name: 'helper', model, tools: [rm] });
      const both = defineTool({
        name: 'both',
        description: 'Asks twice.',
        inputSchema: z.object({}),
        execute: (_, { child }) => {
          const asked = ['first', 'second'].map((prompt) =>
            child(helper, prompt).pipe(map((post): ToolItem => `<${textOf(post.message)}>`)),
          );
          return together ? merge(...asked) : concat(...asked);
        },
      });
      return { rm, ...stage({ turns: [{ toolCalls: [call('both')] }, 'ok'], tools: [both], hooks: [ask(), ...own] }) };
    }

    for (const together of [false, true]) {
      it(`resumes that sub-agent, with others ${together ? 'next to' : 'before'} it`, () => {
        const { run, agent, rm } = twice(together);
        const snapshot = JSON.parse(JSON.stringify(run().post.snapshot)) as JsonObject;
        const resumed = play(agent.resume(snapshot, yes(snapshot)));
        const result = resumed.of('postActing').find(({ toolCall }) => toolCall.name === 'both')?.result;
        expect(result?.content).to.equal('<user: first><user: second, tool: [gone]>');
        expect(rm.calls).to.have.length(1);
      });
    }

    it('continues with each attempt of its call', () => {
      let asked = 0;
      const again = defineHook({
        name: 'again',
        around: {
          acting: (event, next) =>
            event.toolCall.name === 'both' && event.run.resumedFrom
              ? next().pipe(
                  concatWith(defer(() => (asked++ === 0 ? throwError(() => new Error('late')) : EMPTY))),
                  retry(1),
                )
              : next(),
        },
      });
      const { run, agent } = twice(false, [again]);
      const snapshot = run().post.snapshot ?? {};
      const { post, of: typed } = play(agent.resume(snapshot, yes(snapshot)));
      expect(post.outcome).to.equal('completed');
      expect(typed('postActing').at(-1)?.result.content).to.equal('<user: first><user: second, tool: [gone]>');
    });
  });
});
