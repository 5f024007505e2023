import { expect } from 'chai';
import { delay, EMPTY, lastValueFrom, map, of, Subject, tap, throwError, timer } from 'rxjs';
import {
  createAgent,
  createPipeline,
  defineHook,
  memoryTranscript,
  type Pipeline,
  type TranscriptStore,
} from '../../../lib/index.ts';
import { marbles, recorder, scriptedModel } from '../../../lib/testing/index.ts';
import { play, show, stage } from '../../acceptance/scene.ts';

describe('runs of one session', () => {
  it('run in sequence, and the second one has the history of the first', () => {
    marbles(({ agent, expectEvents, model }) => {
      const script = model([{ marbles: '-----a|' }, 'two']);
      const transcript = memoryTranscript();
      const talking = agent({ model: script, transcript });
      expectEvents(talking.run('first', { sessionId: 's' })).toShow([
        '0 preCall "first"',
        '0 preReasoning',
        '5 reasoningChunk "a"',
        '6 reasoningChunk last',
        '6 postReasoning "a"',
        '6 postCall completed "a"',
        '6 |',
      ]);
      expectEvents(talking.run('second', { sessionId: 's' }), '-^').toShow([
        '6 preCall "second"',
        '6 preReasoning',
        '6 reasoningChunk "two"',
        '6 reasoningChunk last',
        '6 postReasoning "two"',
        '6 postCall completed "two"',
        '6 |',
      ]);
    });
  });

  for (const member of ['begin', 'fail', 'end'] as const) {
    it(`continue after a broken one: run.${member}() failed`, () => {
      let broken = false;
      const pipeline = createPipeline();
      const breaking: Pipeline = {
        ...pipeline,
        start(options) {
          const run = pipeline.start(options);
          if (broken) return run;
          broken = true;
          return Object.assign(run, { [member]: () => throwError(() => new Error('broken')) });
        },
      };
      const { agent, run } = stage({ turns: ['two'], pipeline: breaking, transcript: failingOnce() });
      let thrown: unknown;
      agent.run('one', { sessionId: 's' }).subscribe({
        error: (error) => {
          thrown = error;
        },
      });
      expect(thrown).to.have.property('message', 'broken');
      expect(run('two').post.outcome).to.equal('completed');
    });
  }

  it('run in the order of their subscriptions', () => {
    marbles(({ agent, at }) => {
      const transcript = memoryTranscript();
      const talking = agent({ model: ['a', 'b', 'c'].map((letter) => ({ marbles: `--${letter}|` })), transcript });
      for (const name of ['one', 'two', 'three']) talking.run(name, { sessionId: 's' }).subscribe();
      at(20, () =>
        expect(show(transcript.sessions.get('s') ?? [])).to.deep.equal([
          ...['user: one', 'assistant: a', 'user: two', 'assistant: b', 'user: three', 'assistant: c'],
        ]),
      );
    });
  });

  it('of two agents on one store queue too; other sessions and stores do not wait', () => {
    marbles(({ agent, expectEvents }) => {
      const transcript = memoryTranscript();
      const slow = agent({ model: [{ marbles: '5s |' }], transcript });
      const other = agent({ name: 'other', model: ['a', 'b'], transcript });
      const apart = agent({ name: 'apart', model: ['c'] });
      const of = (start: number, text: string) => [
        `${start} preCall "go"`,
        `${start} preReasoning`,
        `${start} reasoningChunk "${text}"`,
        `${start} reasoningChunk last`,
        `${start} postReasoning "${text}"`,
        `${start} postCall completed "${text}"`,
        `${start} |`,
      ];
      expectEvents(slow.run('go', { sessionId: 's' })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '5000 postReasoning ""',
        '5000 postCall completed ""',
        '5000 |',
      ]);
      expectEvents(other.run('go', { sessionId: 't' }), '-^').toShow(of(1, 'a'));
      expectEvents(apart.run('go', { sessionId: 's' }), '-^').toShow(of(1, 'c'));
      expectEvents(other.run('go', { sessionId: 's' }), '--^').toShow(of(5000, 'b'));
    });
  });

  it('wait for their turn among processes, one at a time, and end it', () => {
    marbles(({ agent, expectEvents, at }) => {
      const turns: string[] = [];
      const transcript: TranscriptStore = {
        ...memoryTranscript(),
        turn: (sessionId) =>
          timer(10).pipe(
            map(() => {
              turns.push(`begins ${sessionId}`);
              return () => void turns.push(`ends ${sessionId}`);
            }),
          ),
      };
      const talking = agent({ model: ['a', { marbles: '--b|' }], transcript });
      const of = (start: number, end: number, text: string) => [
        `${start} preCall "go"`,
        `${start} preReasoning`,
        `${end === start ? start : end - 1} reasoningChunk "${text}"`,
        `${end} reasoningChunk last`,
        `${end} postReasoning "${text}"`,
        `${end} postCall completed "${text}"`,
        `${end} |`,
      ];
      expectEvents(talking.run('go', { sessionId: 's' })).toShow(of(10, 10, 'a'));
      expectEvents(talking.run('go', { sessionId: 's' })).toShow(of(20, 23, 'b'));
      expectEvents(talking.run('go', { sessionId: 's' }), '^----!').toShow([]);
      at(1_000, () => expect(turns).to.deep.equal(['begins s', 'ends s', 'begins s', 'ends s']));
    });
  });

  it('fail if their turn among processes fails, and the next one continues', () => {
    let broken = true;
    const turn = () => (broken ? throwError(() => new Error('away')) : of(() => {}));
    const transcript = Object.assign(memoryTranscript(), { turn });
    const { run } = stage({ turns: ['two'], transcript });
    expect(run('one').post).to.include({ outcome: 'failed', reason: 'away' });
    broken = false;
    expect(run('two').post.outcome).to.equal('completed');
  });

  it('leave the queue when they are unsubscribed, and observers see it', () => {
    marbles(({ agent, expectEvents, at }) => {
      const seen = recorder();
      const talking = agent({ model: [{ marbles: '----a|' }, 'third'], hooks: seen });
      talking.run('first', { sessionId: 's' }).subscribe();
      expectEvents(talking.run('second', { sessionId: 's' }), '-^-!').toShow([]);
      expectEvents(talking.run('third', { sessionId: 's' }), '--^').toShow([
        '5 preCall "third"',
        '5 preReasoning',
        '5 reasoningChunk "third"',
        '5 reasoningChunk last',
        '5 postReasoning "third"',
        '5 postCall completed "third"',
        '5 |',
      ]);
      at(9, () =>
        expect(seen.lines('preCall', 'postCall')).to.deep.equal([
          'preCall "first"',
          'preCall "second"',
          'postCall cancelled',
          'postCall completed "a"',
          'preCall "third"',
          'postCall completed "third"',
        ]),
      );
    });
  });

  it('end with a postCall at once when a signal cancels them in the queue', () => {
    marbles(({ agent, expectEvents, at }) => {
      const controller = new AbortController();
      const talking = agent({ model: [{ marbles: '9s |' }] });
      at(3, () => controller.abort('no patience'));
      expectEvents(talking.run('first', { sessionId: 's' })).toShow([
        '0 preCall "first"',
        '0 preReasoning',
        '9000 postReasoning ""',
        '9000 postCall completed ""',
        '9000 |',
      ]);
      expectEvents(talking.run('second', { sessionId: 's', signal: controller.signal }), '-^').toShow([
        '3 preCall "second"',
        '3 postCall cancelled (no patience)',
        '3 |',
      ]);
    });
  });

  it('release their turn after any end: failed, aborted by a store, cancelled', () => {
    const { run, agent } = stage({
      turns: [{ error: 'quota' }, 'ok'],
      hooks: [
        defineHook({
          name: 'slow',
          on: { preCall: ({ messages }) => (messages.length > 1 ? of(undefined).pipe(delay(9)) : undefined) },
        }),
      ],
    });
    expect(run().post.outcome).to.equal('failed');
    agent.run(['a', 'b'], { sessionId: 's' }).subscribe().unsubscribe();
    expect(run().post.outcome).to.equal('completed');
  });

  it('release their turn if the store fails to load', () => {
    let broken = true;
    const memory = memoryTranscript();
    const store: TranscriptStore = {
      ...memory,
      load(sessionId) {
        if (broken) throw new Error('no disk');
        return memory.load(sessionId);
      },
    };
    const agent = createAgent({ name: 'a', model: scriptedModel(['ok']), transcript: store });
    expect(play(agent.run('go', { sessionId: 's' })).post.outcome).to.equal('failed');
    broken = false;
    expect(play(agent.run('go', { sessionId: 's' })).post.outcome).to.equal('completed');
  });
});

describe('thousands of runs on one session', () => {
  it('end in sequence and in order without a stack overflow', async () => {
    const hold = new Subject<void>();
    let first = true;
    const wait = defineHook({
      name: 'wait',
      timeoutMs: 60_000,
      on: {
        preCall() {
          if (!first) return undefined;
          first = false;
          return hold.pipe(map(() => undefined));
        },
      },
    });
    const agent = createAgent({ name: 'a', model: () => EMPTY, pipeline: createPipeline([wait]) });
    const ended: number[] = [];
    const runs = Array.from({ length: 2_500 }, (_, n) =>
      lastValueFrom(agent.run('hi', { sessionId: 's' }).pipe(tap(({ type }) => type === 'postCall' && ended.push(n)))),
    );
    hold.next();
    hold.complete();
    await Promise.all(runs);
    expect(ended).to.deep.equal(runs.map((_, n) => n));
  });
});

/** A transcript that fails to load the first time. */
function failingOnce() {
  const transcript = memoryTranscript();
  let failed = false;
  return {
    ...transcript,
    load(sessionId: string) {
      if (failed) return transcript.load(sessionId);
      failed = true;
      throw new Error('down');
    },
  };
}
