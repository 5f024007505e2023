import { expect } from 'chai';
import fc from 'fast-check';
import { parseSnapshot } from '../../../lib/agent/suspend/snapshot.ts';
import { dangerousConfirmation } from '../../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import {
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type JsonObject,
  modify,
  pendingCalls,
  type Verdict,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { play, stage } from '../../acceptance/scene.ts';
import { family } from '../family.ts';
import { ask, snapshotOf, tools, turns, yes } from './ask-to-remove.ts';

const asks = (name: string, prompt = `${name}?`): Hook =>
  defineHook({ name, match: { tools: ['rm'] }, approve: () => verdict.suspend(prompt) });
const deleting = [{ toolCalls: [{ name: 'delete_file', input: { path: 'notes.txt' } }] }, 'done'];
const throughJson = (snapshot: JsonObject): JsonObject => JSON.parse(JSON.stringify(parseSnapshot(snapshot)));

describe('a call that several approvers ask about', () => {
  it('is one pending call that names them all, and one answer runs it', () => {
    const [rm, ls] = tools();
    const { agent } = stage({ turns, tools: [rm, ls], hooks: [asks('one'), asks('two')] });
    const snapshot = throughJson(snapshotOf(play(agent.run('go', { sessionId: 's' }))));
    const [pending, ...more] = pendingCalls(snapshot);
    expect(more).to.be.empty;
    expect(pending).to.deep.include({
      by: 'one',
      prompt: 'one?\ntwo?',
      asks: [
        { by: 'one', prompt: 'one?' },
        { by: 'two', prompt: 'two?' },
      ],
    });
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(rm.calls).to.have.length(1);
  });

  it('has the reasons of the built-in hooks in one prompt, with its arguments once', () => {
    const remove = scriptedTool({ name: 'delete_file', permission: 'write', result: 'gone' });
    const hooks = [dangerousConfirmation({ askBy: 'suspend' }), permission({ askBy: 'suspend' })];
    const { agent } = stage({ turns: deleting, tools: [remove], hooks });
    const snapshot = snapshotOf(play(agent.run('go', { sessionId: 's' })));
    const prompt = pendingCalls(snapshot)[0]?.prompt?.split('\n');
    expect(prompt?.map((line) => line.trim().replace(/:.*/, ''))).to.deep.equal([
      'Agent MyAgent wants to call delete_file (write).',
      'Tool',
      'Dangerous',
      'Reason',
      'Arguments',
      '"path"',
      '}',
      'May it run?',
    ]);
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(remove.calls).to.have.length(1);
  });

  it('has redacted reasons', () => {
    const redacts = defineHook({ name: 'clean', redact: (text) => text.replaceAll('hunter2', '***') });
    const hooks = [asks('one', 'one hunter2?'), asks('two', 'two hunter2?'), redacts];
    const played = stage({ turns, tools: tools(), hooks }).run();
    expect(JSON.stringify(played.events)).not.to.include('hunter2');
    const prompts = pendingCalls(snapshotOf(played)).map(({ prompt, asks }) => [
      prompt,
      asks?.map((one) => one.prompt),
    ]);
    expect(prompts).to.deep.equal([['one ***?\ntwo ***?', ['one ***?', 'two ***?']]]);
  });

  it('runs after an edit that its hooks leave unchanged; otherwise all ask again, together', () => {
    for (const [hooks, outcome] of [
      [[], 'completed'],
      [
        [
          defineHook({
            name: 'rewrite',
            match: { tools: ['rm'] },
            on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path: '/' } } }) },
          }),
        ],
        'suspended',
      ],
    ] as const) {
      const [rm, ls] = tools();
      const { agent } = stage({ turns, tools: [rm, ls], hooks: [asks('one'), asks('two'), ...hooks] });
      const snapshot = snapshotOf(play(agent.run('go', { sessionId: 's' })));
      const resumed = play(agent.resume(snapshot, yes(snapshot, { input: { path: 'b' } })));
      expect(resumed.post.outcome).to.equal(outcome);
      if (outcome === 'completed') expect(rm.calls.map(({ input }) => input)).to.deep.equal([{ path: 'b' }]);
      else expect(pendingCalls(snapshotOf(resumed))[0]?.asks?.map(({ by }) => by)).to.deep.equal(['one', 'two']);
    }
  });

  it('waits for each of them if it is missing and the call has changed', () => {
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [asks('one'), asks('two')] }).run());
    const [rm, ls] = tools();
    const without = (...hooks: Hook[]) => stage({ turns: ['done'], tools: [rm, ls], hooks }).agent;
    for (const hooks of [
      [],
      [asks('one')],
      [asks('two')],
      [defineHook({ name: 'two', approve: () => verdict.allow() })],
    ]) {
      const resumed = play(without(...hooks).resume(snapshot, {}));
      expect([resumed.post.outcome, rm.calls.length]).to.deep.equal(['suspended', 0]);
    }
    const both = pendingCalls(snapshotOf(play(without().resume(snapshot, {}))))[0];
    expect(both?.asks?.map(({ by }) => by)).to.deep.equal(['one', 'two']);
    expect(play(without().resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(rm.calls).to.have.length(1);
  });

  it('is denied by an approver that denies when it is resumed, whoever is missing', () => {
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [asks('one'), asks('two')] }).run());
    const denies = defineHook({ name: 'two', match: { tools: ['rm'] }, approve: () => verdict.deny('no') });
    for (const answers of [{}, yes(snapshot)]) {
      const [rm, ls] = tools();
      const resumed = play(
        stage({ turns: ['done'], tools: [rm, ls], hooks: [denies] }).agent.resume(snapshot, answers),
      );
      expect([resumed.post.outcome, rm.calls.length]).to.deep.equal(['completed', 0]);
    }
  });

  it('of a sub-agent is one pending call, too', () => {
    const own = [asks('mine'), asks('too')];
    const snapshot = snapshotOf(family({ own }).run());
    expect(pendingCalls(snapshot).map(({ prompt }) => prompt)).to.deep.equal(['mine?\ntoo?']);
    const later = family({ turns: ['ok'], child: ['helped'], own });
    expect(play(later.agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('completed');
    expect(later.rm.calls).to.have.length(1);
  });

  it('is asked about again by an approver that did not ask before', () => {
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks: [ask()] }).run());
    const [rm, ls] = tools();
    const { agent } = stage({ turns: ['done'], tools: [rm, ls], hooks: [ask(), asks('new')] });
    const again = snapshotOf(play(agent.resume(snapshot, yes(snapshot))));
    expect(pendingCalls(again).map(({ by, asks }) => [by, asks])).to.deep.equal([['new', undefined]]);
    expect(rm.calls).to.be.empty;
  });

  it('is asked about once for each distinct call, and never runs after a denial', () => {
    const counted = { runs: 0, denials: 0, edits: 0, several: 0 };
    const answer = fc.record({ approved: fc.boolean(), path: fc.option(fc.nat(2), { nil: undefined }) });
    const says = fc.constantFrom('allow', 'allow', 'deny', 'suspend', 'suspend');
    fc.assert(
      fc.property(
        fc.array(fc.array(says, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.array(answer),
        (hooks, answers) => {
          const rm = scriptedTool({ name: 'rm', result: 'gone' });
          const verdictFor = (verdicts: readonly string[], path: unknown): Verdict => {
            const said = verdicts[Number(path)];
            if (said === 'suspend') return verdict.suspend('Sure?');
            return said === 'deny' ? verdict.deny('no') : verdict.allow();
          };
          const approvers = hooks.map((verdicts, index) =>
            defineHook({ name: `h${index}`, approve: ({ toolCall }) => verdictFor(verdicts, toolCall.input['path']) }),
          );
          const agent = createAgent({
            name: 'a',
            model: scriptedModel([{ toolCalls: [{ name: 'rm', input: { path: 0 } }] }, 'done']),
            tools: [rm],
            pipeline: createPipeline(approvers),
          });
          let { post } = play(agent.run('go'));
          const approvals: unknown[] = [];
          const left = [...answers];
          while (post.snapshot) {
            const [call] = pendingCalls(throughJson(post.snapshot));
            const path = call?.judged?.input['path'];
            expect(approvals).not.to.include(path);
            const asking = hooks.flatMap((verdicts, index) =>
              verdicts[Number(path)] === 'suspend' ? [`h${index}`] : [],
            );
            // Others may have approved this call already, when they approved an edit.
            const asked = call?.asks?.map(({ by }) => by) ?? [call?.by];
            const before =
              call?.granted?.filter(({ judged }) => judged.input['path'] === path).map(({ by }) => by) ?? [];
            expect([...asked, ...before]).to.include.members(asking);
            expect(asking).to.include.members(asked);
            if (asked.length > 1) counted.several += 1;
            const { approved, path: edit } = left.shift() ?? { approved: true, path: undefined };
            const edited = approved && edit !== undefined;
            if (edited) counted.edits += 1;
            const given = { approved, ...(edited && { input: { path: edit } }) };
            ({ post } = play(agent.resume(post.snapshot, { [call?.key ?? '']: given })));
            if (approved && !edited) approvals.push(path);
            if (!edited) expect(post.outcome).to.equal('completed');
          }
          for (const { input } of rm.calls) {
            counted.runs += 1;
            const path = Number((input as { path: number }).path);
            expect(hooks.map((verdicts) => verdicts[path])).not.to.include('deny');
          }
          if (rm.calls.length === 0) counted.denials += 1;
        },
      ),
      { numRuns: 500 },
    );
    for (const [branch, count] of Object.entries(counted)) expect(count, branch).to.be.greaterThan(20);
  });
});
