import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Answers,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type JsonObject,
  memoryTranscript,
  modify,
  type PendingCall,
  pendingCalls,
  type Snapshot,
  verdict,
} from '../../../lib/index.ts';
import { type ScriptTurn, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { play, stage } from '../../acceptance/scene.ts';
import { family } from '../family.ts';
import { ask, snapshotOf, tools, turns, yes } from './ask-to-remove.ts';

const keyOf = (snapshot: JsonObject): string => pendingCalls(snapshot)[0]?.key ?? '';

describe('a pending call with a missing approver', () => {
  const asked = () => snapshotOf(stage({ turns, tools: tools(), hooks: [ask()] }).run());

  it('stays pending without an answer, with its prompt and a note that gives the reason', () => {
    const [rm, ls] = tools();
    const resumed = play(stage({ turns: ['done'], tools: [rm, ls] }).agent.resume(asked(), {}));
    expect(resumed.post.outcome).to.equal('suspended');
    expect(rm.calls).to.be.empty;
    expect(resumed.of('preActing')[0]?.notes).to.deep.equal([
      {
        by: 'ask',
        code: 'approver-missing',
        message: 'Hook "ask" asked about this call and is not there to judge it again.',
      },
    ]);
    const [pending] = pendingCalls(snapshotOf(resumed));
    expect([pending?.by, pending?.prompt]).to.deep.equal(['ask', 'rm {"path":"a"}?']);
  });

  it('can be answered later, even after a resume in between', () => {
    const [rm, ls] = tools();
    const { agent } = stage({ turns: ['done'], tools: [rm, ls], transcript: memoryTranscript() });
    const again = snapshotOf(play(agent.resume(asked(), {})));
    expect(play(agent.resume(again, yes(again))).post.outcome).to.equal('completed');
    expect(rm.calls).to.have.length(1);
  });

  it('runs after a yes to this exact call, but not after a change', () => {
    const [rm, ls] = tools();
    const snapshot = asked();
    const rewrite = defineHook({
      name: 'rewrite',
      match: { tools: ['rm'] },
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path: '/' } } }) },
    });
    const resume = (hooks: readonly Hook[]) =>
      play(stage({ turns: ['done'], tools: [rm, ls], hooks }).agent.resume(snapshot, yes(snapshot)));
    const changed = resume([rewrite]);
    expect([changed.post.outcome, rm.calls.length]).to.deep.equal(['suspended', 0]);
    expect(pendingCalls(snapshotOf(changed))[0]?.judged?.input).to.deep.equal({ path: '/' });
    expect([resume([]).post.outcome, rm.calls.length]).to.deep.equal(['completed', 1]);
  });

  it('stays pending if a hook of that name does not match the call', () => {
    const [rm, ls] = tools();
    const narrowed = defineHook({ name: 'ask', match: { tools: ['ls'] }, approve: () => verdict.allow() });
    const resumed = play(stage({ turns: ['done'], tools: [rm, ls], hooks: [narrowed] }).agent.resume(asked(), {}));
    expect([resumed.post.outcome, rm.calls.length]).to.deep.equal(['suspended', 0]);
  });

  it('is judged again if its approver is present', () => {
    const [rm, ls] = tools();
    const laxer = defineHook({ name: 'ask', approve: () => verdict.allow() });
    const resumed = play(stage({ turns: ['done'], tools: [rm, ls], hooks: [laxer] }).agent.resume(asked(), {}));
    expect([resumed.post.outcome, rm.calls.length]).to.deep.equal(['completed', 1]);
  });

  it('of a sub-agent stays pending too', () => {
    const own = defineHook({ name: 'mine', approve: () => verdict.suspend('Sure?') });
    const snapshot = snapshotOf(family({ own: [own] }).run());
    const later = family({ turns: ['ok'], child: ['helped'] });
    const resumed = play(later.agent.resume(snapshot, {}));
    expect([resumed.post.outcome, later.rm.calls.length]).to.deep.equal(['suspended', 0]);
    const again = snapshotOf(resumed);
    expect(play(later.agent.resume(again, yes(again))).post.outcome).to.equal('completed');
    expect(later.rm.calls).to.have.length(1);
  });

  it('lists all active approvers in the snapshot, and the log names missing ones', () => {
    const warned: unknown[] = [];
    const log = {
      ...{ debug() {}, info() {}, error() {} },
      warn: (data: unknown, message?: string) => void warned.push([(data as { missing?: unknown }).missing, message]),
    };
    const allows = (name: string) => defineHook({ name, approve: () => verdict.allow() });
    const hooks = [ask(), allows('b'), defineHook({ name: 'watch', observe() {} })];
    const snapshot = snapshotOf(stage({ turns, tools: tools(), hooks }).run());
    expect((snapshot as unknown as Snapshot).approvers).to.deep.equal(['ask', 'b']);
    const resume = (own: readonly Hook[]) =>
      play(stage({ turns: ['done'], tools: tools(), hooks: own, settings: { log } }).agent.resume(snapshot, {}));
    resume([ask()]);
    expect(warned).to.deep.equal([
      [
        ['b'],
        'Approvers of the suspended run are missing: b. A call that one of them asked about stays pending until it is answered.',
      ],
    ]);
    resume([allows('b'), ask()]);
    expect(warned).to.have.length(1);
  });

  it('lists them again if the resumed run suspends it again, but not for later calls', () => {
    const other = defineHook({ name: 'other', match: { tools: ['rm'] }, approve: () => verdict.suspend('Other?') });
    const resume = (from: JsonObject, given: Answers, next: typeof turns = ['done']) =>
      play(stage({ turns: next, tools: tools(), hooks: [other] }).agent.resume(from, given));
    const approvers = (taken: JsonObject) => (taken as unknown as Snapshot).approvers;
    const again = snapshotOf(resume(asked(), {}));
    expect(approvers(again)).to.deep.equal(['ask', 'other']);
    expect(approvers(snapshotOf(resume(again, {})))).to.deep.equal(['ask', 'other']);
    const refused = { [keyOf(again)]: { approved: false } };
    expect(approvers(snapshotOf(resume(again, refused, turns)))).to.deep.equal(['other']);
  });

  it('never runs without a yes for any missing approvers and answers', () => {
    const name = fc.constantFrom('one', 'two', 'three');
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1 }),
        fc.array(
          fc.record({ there: fc.subarray(['one', 'two', 'three'] as const), answer: fc.boolean(), path: fc.nat(1) }),
          {
            maxLength: 4,
          },
        ),
        (asking, resumes) => {
          let path = 0;
          const rm = scriptedTool({ name: 'rm', result: 'gone' });
          const rewrite = defineHook({
            name: 'rewrite',
            on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path } } }) },
          });
          const approvers = (names: readonly string[]) =>
            names.map((one) => defineHook({ name: one, approve: () => verdict.suspend(`${one}?`) }));
          const agent = (names: readonly string[], ...first: ScriptTurn[]) =>
            createAgent({
              name: 'a',
              model: scriptedModel([...first, 'done']),
              tools: [rm],
              pipeline: createPipeline([rewrite, ...approvers(names)]),
            });
          const askersOf = ({ by = '', asks }: Partial<PendingCall> = {}) => asks?.map((one) => one.by) ?? [by];
          /** The approved paths, by approver. */
          const given = new Set<string>();
          let { post } = play(agent(asking, { toolCalls: [{ name: 'rm', input: {} }] }).run('go'));
          for (const { there, answer, path: next } of resumes) {
            if (!post.snapshot) break;
            const [pending] = pendingCalls(post.snapshot);
            const asked = answer ? askersOf(pending) : [];
            for (const by of asked) given.add(`${by} ${JSON.stringify(pending?.judged?.input)}`);
            path = next;
            const answers: Answers = answer ? { [keyOf(post.snapshot)]: { approved: true } } : {};
            const askedSoFar = [...(pending?.granted ?? []).map(({ by }) => by), ...askersOf(pending)];
            ({ post } = play(agent(there).resume(post.snapshot, answers)));
            if (rm.calls.length === 0) continue;
            for (const by of askedSoFar) expect([...given]).to.include(`${by} ${JSON.stringify({ path })}`);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
