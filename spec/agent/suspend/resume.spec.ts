import { expect } from 'chai';
import {
  type Answers,
  createAgent,
  createPipeline,
  type HooklineError,
  type JsonObject,
  memoryTranscript,
  textOf,
} from '../../../lib/index.ts';
import { recorder, scriptedModel } from '../../../lib/testing/index.ts';
import { play, show, stage } from '../../acceptance/scene.ts';
import { ask, snapshotOf, tools, turns, yes } from './ask-to-remove.ts';

const codeOf = (make: () => unknown): string => {
  try {
    make();
  } catch (thrown) {
    return (thrown as HooklineError).code;
  }
  return 'nothing thrown';
};

describe('agent.resume', () => {
  const scene = () => {
    const staged = stage({ turns: [...turns, 'more'], tools: tools(), hooks: [ask()] });
    return { ...staged, snapshot: snapshotOf(staged.run()) };
  };

  it('rejects an invalid snapshot, another version and another agent at once', () => {
    const { agent, snapshot } = scene();
    const wrong: [unknown, RegExp][] = [
      [null, /is invalid/],
      [{}, /is invalid/],
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

  it('rejects invalid answers, and answers without a pending call, at once', () => {
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

  it('fails for a session with later messages and leaves the session unchanged', () => {
    const { agent, snapshot, run, remembered } = scene();
    run('something other');
    const before = remembered();
    const { post, of: typed } = play(agent.resume(snapshot, yes(snapshot)));
    expect(post.outcome).to.equal('failed');
    expect(typed('error')[0]?.error.code).to.equal('SNAPSHOT_STALE');
    expect(remembered()).to.deep.equal(before);
  });

  it('rejects a snapshot that was resumed before', () => {
    const { agent, snapshot } = scene();
    const seen = recorder();
    play(agent.resume(snapshot, yes(snapshot)));
    agent.addHook(seen);
    expect(play(agent.resume(snapshot, yes(snapshot))).post.outcome).to.equal('failed');
    expect(seen.of('error')[0]?.error.code).to.equal('SNAPSHOT_STALE');
    expect(seen.of('preActing')).to.be.empty;
  });

  it('accepts a valid snapshot after the store closed its open calls', () => {
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
