import { expect } from 'chai';
import { delay, of } from 'rxjs';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type Message,
  memoryTranscript,
  type TranscriptStore,
  textOf,
  userMessage,
} from '../../../lib/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { play, show, stage } from '../../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];

describe('a transcript store that loads invalid messages', () => {
  for (const [given, issue] of [
    [undefined, 'no list of messages'],
    [null, 'no list of messages'],
    [{}, 'no list of messages'],
    [[userMessage('a'), null], 'something other than a message at index 1'],
    [[{ role: 'user' }], 'something other than a message at index 0'],
  ] as const) {
    it(`fails the run with an error that names it: ${JSON.stringify(given)}`, async () => {
      const transcript = { ...memoryTranscript(), load: () => given as never };
      const post = await createAgent({ name: 'a', model: scriptedModel(['x']), transcript }).call('hi');
      expect(post.outcome).to.equal('failed');
      expect(post.reason).to.equal(`The transcript store failed to load the session: it returned ${issue}.`);
    });
  }
});

/** A memory store that fails at the given call of one method. */
function failing(method: keyof TranscriptStore, onCall = 1) {
  const memory = memoryTranscript();
  let calls = 0;
  const asked: string[] = [];
  const wrap =
    <A extends readonly unknown[], R>(name: keyof TranscriptStore, inner: (...args: A) => R) =>
    (...args: A): R => {
      asked.push(name);
      if (name === method) calls += 1;
      if (name === method && calls === onCall) throw new Error('no disk');
      return inner(...args);
    };
  const store: TranscriptStore = {
    load: wrap('load', memory.load),
    append: wrap('append', memory.append),
    truncate: wrap('truncate', memory.truncate),
  };
  return { store, memory, asked };
}

const agentOn = (
  transcript: TranscriptStore,
  hooks: readonly Hook[] = [],
  turns: Parameters<typeof scriptedModel>[0] = acting,
) =>
  createAgent({ name: 'a', model: scriptedModel(turns), tools: [look()], transcript, pipeline: createPipeline(hooks) });

describe('the transcript store', () => {
  it('fails the run if it cannot load: preCall, one error with the cause, one postCall', () => {
    const seen = recorder();
    const { store } = failing('load');
    const { lines, of: typed } = play(agentOn(store, [seen]).run('go', { sessionId: 's' }));
    expect(lines()).to.deep.equal([
      'preCall "go"',
      'error call host "The transcript store could not load the session: no disk"',
      'postCall failed (The transcript store could not load the session: no disk)',
    ]);
    expect(typed('error')[0]?.error).to.deep.include({ code: 'TRANSCRIPT_FAILED' });
    expect(typed('error')[0]?.error.cause?.message).to.equal('no disk');
    expect(seen.of('postCall')).to.have.length(1);
  });

  it('fails the run if it cannot append mid-run, without another model request', () => {
    const { store } = failing('append', 2);
    const played = play(agentOn(store).run('go', { sessionId: 's' }));
    expect(played.of('preReasoning')).to.have.length(1);
    expect(played.of('postCall')).to.have.length(1);
    expect(played.post).to.deep.include({
      outcome: 'failed',
      reason: 'The transcript store could not append the session: no disk',
    });
  });

  it('fails the run if it cannot append at the end, since an unsaved run is incomplete', () => {
    const { store } = failing('append', 2);
    const played = play(agentOn(store, [], ['done']).run('go', { sessionId: 's' }));
    expect(played.lines('error', 'postCall')).to.deep.equal([
      'error call host "The transcript store could not append the session: no disk"',
      'postCall failed "done" (The transcript store could not append the session: no disk)',
    ]);
  });

  it('fails a rollback if it cannot truncate', () => {
    const { store } = failing('truncate');
    const undo = defineHook({
      name: 'undo',
      on: { postActing: (event) => abort(event, 'undo', { rollback: true }) },
    });
    expect(play(agentOn(store, [undo]).run('go', { sessionId: 's' })).post.outcome).to.equal('failed');
  });

  it('lets a hook recover from its failure with an answer', () => {
    const { store } = failing('load');
    const rescue = defineHook({
      name: 'rescue',
      on: {
        error: (event) =>
          event.phase === 'call'
            ? {
                ...event,
                decision: {
                  action: 'respond',
                  message: { role: 'assistant', parts: [{ type: 'text', text: 'later' }] },
                },
              }
            : undefined,
      },
    });
    const { post } = play(agentOn(store, [rescue]).run('go', { sessionId: 's' }));
    expect([post.outcome, textOf(post.message)]).to.deep.equal(['responded', 'later']);
  });

  it('is written only at consistent points: input, a message with its results, the answer', () => {
    const memory = memoryTranscript();
    const written: string[][] = [];
    const store: TranscriptStore = {
      ...memory,
      append(sessionId, messages) {
        written.push([...show(messages)]);
        return memory.append(sessionId, messages);
      },
    };
    play(agentOn(store).run('go', { sessionId: 's' }));
    expect(written).to.deep.equal([['user: go'], ['assistant: [look {}]', 'tool: [seen]'], ['assistant: done']]);
  });

  it('is truncated by a rollback to its earlier length', () => {
    const { store, memory, asked } = failing('load', 9);
    const undo = defineHook({
      name: 'undo',
      match: { agents: ['a'] },
      on: {
        preReasoning: (event) => (event.iteration === 2 ? abort(event, 'undo', { rollback: true }) : undefined),
      },
    });
    memory.append('s', [userMessage('before')]);
    play(agentOn(store, [undo]).run('go', { sessionId: 's' }));
    expect(show(memory.sessions.get('s') ?? [])).to.deep.equal(['user: before']);
    expect(asked).to.deep.equal(['load', 'append', 'append', 'truncate']);
  });

  it('may answer asynchronously, by promise or Observable', async () => {
    const memory = memoryTranscript();
    const slow: TranscriptStore = {
      load: (sessionId) => of(memory.load(sessionId) as readonly Message[]).pipe(delay(1)),
      append: async (sessionId, messages) => void (await Promise.resolve(memory.append(sessionId, messages))),
      truncate: async (sessionId, length) => void (await Promise.resolve(memory.truncate(sessionId, length))),
    };
    const agent = agentOn(slow, [], ['one', 'two']);
    await Promise.all([agent.call('a', { sessionId: 's' }), agent.call('b', { sessionId: 's' })]);
    expect(show(memory.sessions.get('s') ?? [])).to.deep.equal([
      'user: a',
      'assistant: one',
      'user: b',
      'assistant: two',
    ]);
  });

  it('treats a session that it does not contain as empty', () => {
    const { run, remembered } = stage({ turns: ['ok'] });
    run('go', { sessionId: 'new' });
    expect(remembered()).to.be.empty;
  });
});

describe('memoryTranscript', () => {
  it('returns copies, so that loaded messages are not the stored ones', () => {
    const memory = memoryTranscript();
    memory.append('s', [userMessage('a')]);
    const loaded = memory.load('s') as Message[];
    memory.append('s', [userMessage('b')]);
    expect(show(loaded)).to.deep.equal(['user: a']);
    loaded.length = 0;
    expect(show(memory.load('s') as Message[])).to.deep.equal(['user: a', 'user: b']);
  });

  it('separates sessions and truncates one', () => {
    const memory = memoryTranscript();
    memory.append('a', [userMessage('1'), userMessage('2')]);
    memory.append('b', [userMessage('3')]);
    memory.truncate('a', 1);
    expect([...memory.sessions].map(([id, messages]) => [id, ...show(messages)])).to.deep.equal([
      ['a', 'user: 1'],
      ['b', 'user: 3'],
    ]);
  });
});
