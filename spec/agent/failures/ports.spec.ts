import { expect } from 'chai';
import { NEVER, VirtualTimeScheduler } from 'rxjs';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  type MediaStore,
  memoryTranscript,
  type SettledEvent,
  type TranscriptStore,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

type Method = keyof TranscriptStore;

/** A store that never answers the `nth` call of one method and works otherwise. */
function silentAt(method: Method, nth = 1): TranscriptStore {
  const memory = memoryTranscript();
  let calls = 0;
  const own = (name: Method) =>
    ((...args: never[]) => {
      if (name === method) calls += 1;
      return name === method && calls === nth ? NEVER : (memory[name] as (...given: never[]) => unknown)(...args);
    }) as never;
  return { load: own('load'), append: own('append'), truncate: own('truncate') };
}

const shows = { content: 'ok', isError: false, forUser: 'Look!', handled: true, media: [{ url: 'media://7' }] };

/** An agent in virtual time that calls a tool and then answers. */
function scene(own: Partial<AgentOptions>, portTimeoutMs?: number) {
  const scheduler = new VirtualTimeScheduler();
  const pipeline = createPipeline([], { scheduler, ...(portTimeoutMs && { portTimeoutMs }) });
  const agent = createAgent({
    name: 'a',
    model: scriptedModel([{ toolCalls: [{ name: 'look', input: {} }] }, 'done', 'again', 'and again']),
    tools: [scriptedTool({ name: 'look', result: shows })],
    pipeline,
    ...own,
  });
  const play = (signal?: AbortSignal) => {
    const events: SettledEvent[] = [];
    agent.run('go', { sessionId: 's', ...(signal && { signal }) }).subscribe((event) => events.push(event));
    return events;
  };
  return { scheduler, play };
}

describe('a port of the host that never answers', () => {
  for (const [method, nth] of [
    ['load', 1],
    ['append', 1],
    ['append', 2],
  ] as const) {
    it(`ends the run with TRANSCRIPT_FAILED and frees its session: ${method}, call ${nth}`, () => {
      const { scheduler, play } = scene({ transcript: silentAt(method, nth) });
      const events = play();
      const next = play();
      expect(next).to.deep.equal([]);
      scheduler.flush();
      expect(scheduler.frame).to.equal(30_000);
      const failed = events.filter((event) => event.type === 'error');
      expect(failed.map(({ source, error }) => [source, error['code']])).to.deep.equal([['host', 'TRANSCRIPT_FAILED']]);
      expect(failed[0]?.error.message).to.equal(
        `The transcript store did not ${method} the session within 30000 ms. Make the store faster, or increase portTimeoutMs of createPipeline().`,
      );
      expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'failed' });
      expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, place) => place));
      expect(next.at(-1)?.type).to.equal('postCall');
      expect(next.filter(({ type }) => type === 'error')).to.deep.equal([]);
    });
  }

  it('also ends a run that is cancelled meanwhile', () => {
    for (const method of ['load', 'append'] as const) {
      const { scheduler, play } = scene({ transcript: silentAt(method) });
      const controller = new AbortController();
      const events = play(controller.signal);
      const next = play();
      scheduler.schedule(() => controller.abort(), 30);
      scheduler.flush();
      expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
      expect(events.at(-1)).to.include({ type: 'postCall', outcome: method === 'load' ? 'cancelled' : 'failed' });
      expect(next.at(-1)?.type).to.equal('postCall');
      expect(next.filter(({ type }) => type === 'error')).to.deep.equal([]);
    }
  });

  it('is awaited for portTimeoutMs', () => {
    const { scheduler, play } = scene({ transcript: silentAt('append') }, 70);
    const events = play();
    scheduler.flush();
    expect([scheduler.frame, events.at(-1)?.type]).to.deep.equal([70, 'postCall']);
  });

  const silent: MediaStore = { resolve: () => NEVER };
  const ports: Record<string, Partial<AgentOptions>> = {
    deliver: { deliver: () => NEVER },
    'the media store': { deliver: () => {}, mediaStore: silent },
  };
  for (const [what, own] of Object.entries(ports)) {
    it(`makes the result an error, and the run continues: ${what}`, () => {
      const { scheduler, play } = scene(own);
      const events = play();
      scheduler.flush();
      const why = `${what} did not answer within 30000 ms. Make it faster, or raise portTimeoutMs of createPipeline().`;
      const post = events.find((event) => event.type === 'postActing');
      expect(post?.result).to.include({ isError: true, content: `ok\n[failed to deliver this to the user: ${why}]` });
      expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
    });
  }
});
