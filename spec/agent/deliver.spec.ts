import { expect } from 'chai';
import { delay, of, throwError } from 'rxjs';
import { createAgent, createPipeline, type Delivery, defineHook, modify, type ToolResult } from '../../lib/index.ts';
import { marbles, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { stage } from '../acceptance/scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const done = (own: Partial<ToolResult>): ToolResult => ({ content: 'ok', isError: false, ...own });
const media = [{ url: 'media://7', mediaType: 'image/png' }];

/** Runs a tool that gives `result`, and keeps what is delivered. */
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

describe('what a tool has for the user', () => {
  it('goes to the deliver port, with the run and the call', () => {
    const { run, delivered } = scene(done({ forUser: 'Drawn!' }));
    const { post } = run();
    expect(delivered).to.have.length(1);
    expect(delivered[0]).to.deep.include({ text: 'Drawn!', run: post.run });
    expect(delivered[0]?.toolCall).to.deep.include({ id: 'call_1', name: 'draw' });
  });

  it('stays here when the result is silent, or has nothing for the user', () => {
    for (const result of [done({ forUser: 'Drawn!', silent: true }), done({})]) {
      const { run, delivered } = scene(result);
      run();
      expect(delivered).to.be.empty;
    }
  });

  it('includes media when the result says that it handles the user’s side, and not otherwise', () => {
    const handled = scene(done({ handled: true, media }));
    expect(handled.run().post.outcome).to.equal('finished');
    expect(handled.delivered[0]).to.deep.include({ media });
    expect(handled.delivered[0]).not.to.have.property('text');
    const plain = scene(done({ media }));
    plain.run();
    expect(plain.delivered).to.be.empty;
  });

  it('is what the hooks have left of it', () => {
    const redact = defineHook({
      name: 'redact',
      on: { postActing: (event) => modify(event, { result: { ...event.result, forUser: '***' } }) },
    });
    const { run, delivered } = scene(done({ forUser: 'secret' }), undefined, [redact]);
    run();
    expect(delivered.map(({ text }) => text)).to.deep.equal(['***']);
  });

  it('makes the result an error when it cannot be delivered, with an event that keeps the cause', () => {
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

  it('is waited for: the result settles when it has been delivered', () => {
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

  it('is for nobody when there is no deliver port', () => {
    const { run } = stage({
      turns: [{ toolCalls: [call('draw')] }, 'done'],
      tools: [scriptedTool({ name: 'draw', result: done({ forUser: 'Drawn!' }) })],
    });
    expect(run().of('postActing')[0]?.result).to.deep.equal(done({ forUser: 'Drawn!' }));
  });
});
