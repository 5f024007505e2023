import { expect } from 'chai';
import {
  type Answers,
  createAgent,
  createPipeline,
  defineHook,
  type HooklineError,
  type JsonObject,
  memoryTranscript,
  pendingCalls,
  textOf,
  verdict,
} from '../../../lib/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { type Played, play, show, stage } from '../../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const ask = (own: { shown?: unknown[] } = {}) =>
  defineHook({
    name: 'ask',
    match: { tools: ['rm'] },
    approve: ({ toolCall }) => {
      own.shown?.push(toolCall.input);
      return verdict.suspend(`rm ${JSON.stringify(toolCall.input)}?`);
    },
  });
const tools = () =>
  ['rm', 'ls'].map((name) => scriptedTool({ name, result: `${name} done` })) as [
    ReturnType<typeof scriptedTool>,
    ReturnType<typeof scriptedTool>,
  ];
const turns = [{ toolCalls: [call('rm', { path: 'a' }), call('ls')] }, 'done'];
const snapshotOf = ({ post }: Played): JsonObject => {
  if (!post.snapshot) throw new Error(`The run was not suspended but ${post.outcome}.`);
  return post.snapshot;
};
const yes = (snapshot: JsonObject, own: Partial<Answers[string]> = {}): Answers =>
  Object.fromEntries(pendingCalls(snapshot).map(({ key }) => [key, { approved: true, ...own }]));
const codeOf = (make: () => unknown): string => {
  try {
    make();
  } catch (thrown) {
    return (thrown as HooklineError).code;
  }
  return 'nothing thrown';
};

describe('agent.resume refuses', () => {
  const scene = () => {
    const staged = stage({ turns: [...turns, 'more'], tools: tools(), hooks: [ask()] });
    return { ...staged, snapshot: snapshotOf(staged.run()) };
  };

  it('what is no snapshot, of another version, or of another agent, at once', () => {
    const { agent, snapshot } = scene();
    const wrong: [unknown, RegExp][] = [
      [null, /does not fit/],
      [{}, /does not fit/],
      [{ ...snapshot, version: 2 }, /has version 2; this Hookline reads version 1/],
      [{ ...snapshot, pending: [] }, /pending/],
      [{ ...snapshot, extra: 1 }, /extra/],
      [
        { ...snapshot, run: { ...(snapshot['run'] as JsonObject), agent: 'other' } },
        /of agent "other", not of "MyAgent"/,
      ],
    ];
    for (const [value, message] of wrong) {
      expect(codeOf(() => agent.resume(value as JsonObject, {}))).to.equal('SNAPSHOT_INVALID');
      expect(() => agent.resume(value as JsonObject, {})).to.throw(message);
    }
  });

  it('answers that fit no pending call, or do not fit at all, at once', () => {
    const { agent, snapshot } = scene();
    const [key = ''] = Object.keys(yes(snapshot));
    const wrong = [
      { nope: { approved: true } },
      { [key]: { approved: 'yes' } },
      { [key]: { approved: true, why: '' } },
      null,
      7,
    ];
    for (const answers of wrong)
      expect(codeOf(() => agent.resume(snapshot, answers as Answers))).to.equal('ANSWER_INVALID');
  });

  it('a session that has moved on: the run fails, and the session stays as it is', () => {
    const { agent, snapshot, run, remembered } = scene();
    run('something else');
    const before = remembered();
    const { post, of: typed } = play(agent.resume(snapshot, yes(snapshot)));
    expect(post.outcome).to.equal('failed');
    expect(typed('error')[0]?.error.code).to.equal('SNAPSHOT_STALE');
    expect(remembered()).to.deep.equal(before);
  });

  it('a snapshot that has been resumed before', () => {
    const { agent, snapshot } = scene();
    const seen = recorder();
    play(agent.resume(snapshot, yes(snapshot)));
    agent.addHook(seen);
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('failed');
    expect(seen.of('error')[0]?.error.code).to.equal('SNAPSHOT_STALE');
    expect(seen.of('preActing')).to.be.empty;
  });

  it('nothing of an honest one when the store has closed its open calls itself', () => {
    const { snapshot, transcript } = scene();
    const loaded = memoryTranscript();
    loaded.append('s', transcript.sessions.get('s') ?? []);
    const agent = createAgent({
      name: 'MyAgent',
      model: scriptedModel(['done']),
      tools: tools(),
      transcript: loaded,
      pipeline: createPipeline([ask()]),
    });
    const { post } = play(agent.resume(snapshot, yes(snapshot)));
    expect([post.outcome, textOf(post.message)]).to.deep.equal(['completed', 'done']);
    expect(show(loaded.sessions.get('s') ?? [])).to.have.length(4);
  });
});
