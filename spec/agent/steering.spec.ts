import { expect } from 'chai';
import { Subject } from 'rxjs';
import {
  type Answers,
  abort,
  defineHook,
  finish,
  type Hook,
  type JsonObject,
  memoryTranscript,
  type PostCall,
  pendingCalls,
  type SettledEvent,
  verdict,
} from '../../lib/index.ts';
import { type MarbleKit, marbles } from '../../lib/testing/index.ts';
import { show } from '../acceptance/scene.ts';

const call = (name: string) => ({ name, input: {} });
const ask = defineHook({ name: 'ask', match: { tools: ['rm'] }, approve: () => verdict.suspend('sure?') });
const yes = (snapshot: JsonObject): Answers =>
  Object.fromEntries(pendingCalls(snapshot).map(({ key }) => [key, { approved: true }]));

const tools = (kit: MarbleKit) => [
  kit.tool({ name: 'slow', result: 'slept', delayMs: 5 }),
  kit.tool({ name: 'rm', result: 'gone' }),
];

/** An agent whose tool `slow` takes five frames. The user sends a message at frame 3. */
function scene(kit: MarbleKit, turns: Parameters<MarbleKit['model']>[0], hooks: readonly Hook[], own = {}) {
  const transcript = memoryTranscript();
  const model = kit.model(turns);
  const agent = kit.agent({ model, tools: tools(kit), hooks: [...hooks], transcript, parallel: 'all', ...own });
  const posts: SettledEvent<PostCall>[] = [];
  agent.pipeline.events$.subscribe((event) => event.type === 'postCall' && posts.push(event));
  agent.run('go', { sessionId: 's', steering$: kit.hot('---s', { s: 'wait' }) }).subscribe();
  return {
    ...{ agent, model, posts, transcript },
    remembered: () => show(transcript.sessions.get('s') ?? []),
    asked: (index: number) => show(model.requests[index]?.messages ?? []),
  };
}

describe('a steering message that no model step of the run follows', () => {
  const both = [{ toolCalls: [call('slow'), call('rm')] }, 'done'];

  describe('with pending calls', () => {
    it('is stored, in the snapshot, and sent before the next model step of the resumed run', () => {
      marbles((kit) => {
        const { agent, posts, remembered, asked } = scene(kit, both, [ask]);
        kit.at(10, () => {
          const { outcome, snapshot } = posts[0] as PostCall;
          expect(outcome).to.equal('suspended');
          expect(remembered()).to.deep.equal([
            'user: go',
            'assistant: [slow {}] [rm {}]',
            'tool: [slept]',
            'user: wait',
          ]);
          const text = JSON.parse(JSON.stringify(snapshot)) as JsonObject;
          agent.resume(text, yes(text)).subscribe();
          expect(posts[1]?.outcome).to.equal('completed');
          const all = ['user: go', 'assistant: [slow {}] [rm {}]', 'tool: [slept] [gone]', 'user: wait'];
          expect(asked(1)).to.deep.equal(all);
          expect(remembered()).to.deep.equal([...all, 'assistant: done']);
        });
      });
    });

    it('stays with the run in another process and through a second suspension', () => {
      marbles((kit) => {
        const { posts } = scene(kit, both, [ask]);
        kit.at(10, () => {
          const first = posts[0]?.snapshot as JsonObject;
          const transcript = memoryTranscript();
          const elsewhere = kit.agent({ model: ['done'], tools: tools(kit), hooks: [ask], transcript });
          const again: PostCall[] = [];
          elsewhere.pipeline.events$.subscribe((event) => event.type === 'postCall' && again.push(event));
          elsewhere.resume(first, {}).subscribe();
          const second = again[0]?.snapshot as JsonObject;
          elsewhere.resume(second, yes(second)).subscribe();
          expect(again[1]?.outcome).to.equal('completed');
          expect(show(transcript.sessions.get('s') ?? []).slice(2)).to.deep.equal([
            'tool: [slept] [gone]',
            'user: wait',
            'assistant: done',
          ]);
        });
      });
    });

    it('is also part of the history of a new run', () => {
      marbles((kit) => {
        const { agent, remembered } = scene(kit, both, [ask]);
        kit.at(10, () => {
          agent.run('never mind', { sessionId: 's' }).subscribe();
          expect(remembered().slice(-3)).to.deep.equal(['user: wait', 'user: never mind', 'assistant: done']);
        });
      });
    });
  });

  it('is stored when a hook ends the run after the batch', () => {
    marbles((kit) => {
      const stop = defineHook({ name: 'stop', on: { postActing: (event) => finish(event) } });
      const { posts, remembered } = scene(kit, [{ toolCalls: [call('slow')] }], [stop]);
      kit.at(10, () => {
        expect(posts[0]?.outcome).to.equal('finished');
        expect(remembered().slice(-2)).to.deep.equal(['tool: [slept]', 'user: wait']);
      });
    });
  });

  it('is stored after the last answer if it arrives during that answer', () => {
    marbles((kit) => {
      const turns = [{ toolCalls: [call('rm')] }, { marbles: '-----a|' }];
      const { posts, remembered } = scene(kit, turns, [], { maxIterations: 1 });
      kit.at(10, () => {
        expect(posts[0]?.outcome).to.equal('exhausted');
        expect(remembered().slice(-2)).to.deep.equal(['assistant: a', 'user: wait']);
      });
    });
  });

  it('is stored when the run is aborted', () => {
    marbles((kit) => {
      const stop = defineHook({ name: 'stop', on: { postActing: (event) => abort(event, 'no') } });
      const { posts, remembered } = scene(kit, [{ toolCalls: [call('slow')] }], [stop]);
      kit.at(10, () => {
        expect(posts[0]?.outcome).to.equal('aborted');
        expect(remembered().at(-1)).to.equal('user: wait');
      });
    });
  });

  it('is dropped with the rest by a rollback', () => {
    marbles((kit) => {
      const stop = defineHook({
        name: 'stop',
        on: { postActing: (event) => abort(event, 'no', { rollback: true }) },
      });
      const { remembered } = scene(kit, [{ toolCalls: [call('slow')] }], [stop]);
      kit.at(10, () => expect(remembered()).to.deep.equal([]));
    });
  });

  it('is stored if it arrives during postCall', () => {
    marbles((kit) => {
      const steering$ = new Subject<string>();
      const transcript = memoryTranscript();
      const late = defineHook({ name: 'late', on: { postCall: () => void steering$.next('late') } });
      kit
        .agent({ model: ['done'], hooks: [late], transcript })
        .run('go', { sessionId: 's', steering$ })
        .subscribe();
      expect(show(transcript.sessions.get('s') ?? [])).to.deep.equal(['user: go', 'assistant: done', 'user: late']);
    });
  });
});
