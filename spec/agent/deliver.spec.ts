import { expect } from 'chai';
import { delay, of, throwError } from 'rxjs';
import {
  createAgent,
  createPipeline,
  type Delivery,
  defineHook,
  type MediaStore,
  modify,
  type ToolResult,
} from '../../lib/index.ts';
import { marbles, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const done = (own: Partial<ToolResult>): ToolResult => ({ content: 'ok', isError: false, ...own });
const media = [{ url: 'media://7', mediaType: 'image/png' }];

/** Runs a tool that returns `result` and keeps the deliveries. */
function scene(
  result: ToolResult,
  deliver?: (delivery: Delivery) => unknown,
  hooks: Parameters<typeof stage>[0]['hooks'] = [],
) {
  const delivered: Delivery[] = [];
  const keep = (delivery: Delivery) => {
    delivered.push(delivery);
    return deliver?.(delivery);
  };
  const scripted = stage({
    turns: [{ toolCalls: [call('draw')] }, 'done'],
    tools: [scriptedTool({ name: 'draw', result })],
    deliver: keep,
    ...(hooks && { hooks }),
  });
  return { ...scripted, delivered };
}

describe('a tool result for the user', () => {
  it('is passed to the deliver port with the run and the call', () => {
    const { run, delivered } = scene(done({ forUser: 'Drawn!' }));
    const { post } = run();
    expect(delivered).to.have.length(1);
    expect(delivered[0]).to.deep.include({ text: 'Drawn!', run: post.run });
    expect(delivered[0]?.toolCall).to.deep.include({ id: 'call_1', name: 'draw' });
  });

  it('is not delivered if it is silent or has no part for the user', () => {
    for (const result of [done({ forUser: 'Drawn!', silent: true }), done({})]) {
      const { run, delivered } = scene(result);
      run();
      expect(delivered).to.be.empty;
    }
  });

  it('includes media only if the result handles the part for the user', () => {
    const handled = scene(done({ handled: true, media }));
    expect(handled.run().post.outcome).to.equal('finished');
    expect(handled.delivered[0]).to.deep.include({ media });
    expect(handled.delivered[0]).not.to.have.property('text');
    const plain = scene(done({ media }));
    plain.run();
    expect(plain.delivered).to.be.empty;
  });

  it('is delivered after the changes of hooks', () => {
    const redact = defineHook({
      name: 'redact',
      on: { postActing: (event) => modify(event, { result: { ...event.result, forUser: '***' } }) },
    });
    const { run, delivered } = scene(done({ forUser: 'secret' }), undefined, [redact]);
    run();
    expect(delivered.map(({ text }) => text)).to.deep.equal(['***']);
  });

  it('becomes an error if the delivery fails, with an event that keeps the cause', () => {
    for (const fail of [
      () => throwError(() => new Error('offline')),
      () => {
        throw new Error('offline');
      },
    ]) {
      const { run, asked } = scene(done({ forUser: 'Drawn!', handled: true, media }), fail);
      const { of: typed, post } = run();
      expect(typed('error')[0]).to.deep.include({ phase: 'acting', source: 'host' });
      expect(typed('error')[0]?.error).to.deep.include({ code: 'DELIVERY_FAILED' });
      expect(typed('error')[0]?.error.cause?.message).to.equal('offline');
      const { result } = typed('postActing')[0]!;
      expect(result).to.deep.equal({
        content: 'ok\n[failed to deliver this to the user: offline]',
        isError: true,
        media,
      });
      expect(post.outcome).to.equal('completed');
      expect(asked(1).at(-1)).to.include('failed to deliver this to the user');
    }
  });

  it('settles after its delivery', () => {
    marbles(({ agent, tool, expectEvents, scheduler }) => {
      const drawing = agent({
        model: [{ toolCalls: [call('draw')] }, 'done'],
        tools: [tool({ name: 'draw', result: done({ forUser: 'Drawn!' }) })],
        deliver: () => of('sent').pipe(delay(7, scheduler)),
      });
      expectEvents(drawing.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 draw {}',
        '0 preActing call_1 draw {}',
        '7 postActing call_1 executed "ok"',
        '7 preReasoning',
        '7 reasoningChunk "done"',
        '7 reasoningChunk last',
        '7 postReasoning "done"',
        '7 postCall completed "done"',
        '7 |',
      ]);
    });
  });

  it('may be delivered by a promise', async () => {
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([{ toolCalls: [call('draw')] }, 'done']),
      tools: [scriptedTool({ name: 'draw', result: done({ forUser: 'Drawn!' }) })],
      pipeline: createPipeline(),
      deliver: () => Promise.reject(new Error('offline')),
    });
    expect((await agent.call('go')).outcome).to.equal('completed');
  });

  describe('with a media store', () => {
    const drawn = done({ handled: true, media: [{ url: 'media://a/7' }, { url: 'https://example.test/b' }] });
    const withStore = (resolve: MediaStore['resolve']) => {
      const delivered: Delivery[] = [];
      const asked: string[] = [];
      const scripted = stage({
        turns: [{ toolCalls: [call('draw')] }, 'done'],
        tools: [scriptedTool({ name: 'draw', result: drawn })],
        deliver: (delivery) => void delivered.push(delivery),
        mediaStore: {
          resolve(id) {
            asked.push(id);
            return resolve(id);
          },
        },
      });
      return { ...scripted, delivered, ids: asked };
    };

    it('resolves media://id to a public URL', () => {
      const png = { mediaType: 'image/png' };
      for (const [found, media] of [
        [
          { ...png, data: new Uint8Array([1, 2, 3]) },
          { ...png, url: 'data:image/png;base64,AQID' },
        ],
        [
          { ...png, data: 'AQID' },
          { ...png, url: 'data:image/png;base64,AQID' },
        ],
        [{ url: 'https://example.test/7' }, { url: 'https://example.test/7' }],
      ] as const) {
        for (const answer of [found, of(found)]) {
          const { run, delivered, ids } = withStore(() => answer);
          expect(run().post.outcome).to.equal('finished');
          expect(ids).to.deep.equal(['a/7']);
          expect(delivered.map((one) => one.media)).to.deep.equal([[media, { url: 'https://example.test/b' }]]);
        }
      }
    });

    it('keeps the references in the event and the transcript', () => {
      const { run } = withStore(() => ({ url: 'https://example.test/7' }));
      expect(run().of('postActing')[0]?.result).to.deep.equal(drawn);
    });

    it('makes the result an error and delivers nothing if the store lacks the media', () => {
      for (const resolve of [
        () => throwError(() => new Error('gone')),
        () => {
          throw new Error('gone');
        },
        () => undefined as never,
        () => ({ url: 'media://8' }),
      ]) {
        const { run, delivered } = withStore(resolve);
        const { of: typed, post } = run();
        expect(typed('error')[0]?.error).to.deep.include({ code: 'DELIVERY_FAILED' });
        expect(typed('postActing')[0]?.result.isError).to.equal(true);
        expect(typed('postActing')[0]?.result.content).to.match(
          /failed to deliver this to the user: .*(gone|media:\/\/a\/7)/,
        );
        expect(delivered).to.be.empty;
        expect(post.outcome).to.equal('completed');
      }
    });

    it('may resolve by a promise', async () => {
      const delivered: Delivery[] = [];
      const agent = createAgent({
        name: 'a',
        model: scriptedModel([{ toolCalls: [call('draw')] }]),
        tools: [scriptedTool({ name: 'draw', result: drawn })],
        deliver: (delivery) => void delivered.push(delivery),
        mediaStore: { resolve: async () => ({ url: 'https://example.test/7' }) },
      });
      await agent.call('go');
      expect(delivered[0]?.media?.[0]?.url).to.equal('https://example.test/7');
    });

    it('rejects an invalid one', () => {
      expect(() => createAgent({ name: 'a', model: scriptedModel([]), mediaStore: {} as never })).to.throw(
        /mediaStore/,
      );
    });
  });

  it('is delivered to no one without a deliver port', () => {
    const { run } = stage({
      turns: [{ toolCalls: [call('draw')] }, 'done'],
      tools: [scriptedTool({ name: 'draw', result: done({ forUser: 'Drawn!' }) })],
    });
    expect(run().of('postActing')[0]?.result).to.deep.equal(done({ forUser: 'Drawn!' }));
  });
});
