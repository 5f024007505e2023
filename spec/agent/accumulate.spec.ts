import { expect } from 'chai';
import { from } from 'rxjs';
import { accumulate, createAgent, createPipeline, defineHook, type HookEvent } from '../../lib/index.ts';
import { anEvent, scriptedModel, toolCall } from '../../lib/testing/index.ts';

/** The accumulated text after each chunk. */
function textsOf(...events: readonly HookEvent[]): string[] {
  const texts: string[] = [];
  from(events)
    .pipe(accumulate())
    .subscribe((event) => {
      if (event.type === 'reasoningChunk' || event.type === 'actingChunk') texts.push(event.accumulated);
    });
  return texts;
}
const of = (runId: string) => ({ run: { runId, sessionId: 's', agent: 'a', depth: 0 } });

describe('accumulate', () => {
  it('joins the text of the block so far, the chunk’s own included', () => {
    expect(textsOf(anEvent.text('Hel'), anEvent.text('lo'), anEvent.last())).to.deep.equal(['Hel', 'Hello', 'Hello']);
  });

  it('separates blocks, calls, iterations and runs', () => {
    expect(textsOf(anEvent.thinking('a'), anEvent.text('b', { block: 1 }), anEvent.thinking('c'))).to.deep.equal([
      'a',
      'b',
      'ac',
    ]);
    const call = (id: string) => ({ toolCall: toolCall('bash', {}, id) });
    expect(textsOf(anEvent.actingChunk('a', call('x')), anEvent.actingChunk('b', call('y')))).to.deep.equal(['a', 'b']);
    expect(textsOf(anEvent.text('a'), anEvent.text('b', { iteration: 2 }))).to.deep.equal(['a', 'b']);
    expect(
      textsOf(anEvent.text('a', of('r1')), anEvent.text('b', of('r2')), anEvent.text('c', of('r1'))),
    ).to.deep.equal(['a', 'b', 'ac']);
  });

  it('starts over with a higher attempt, which retracts earlier chunks', () => {
    expect(
      textsOf(anEvent.text('Hel'), anEvent.text('Hel', { attempt: 2 }), anEvent.text('lo', { attempt: 2 })),
    ).to.deep.equal(['Hel', 'Hel', 'Hello']);
  });

  it('starts over after the last chunk of a block', () => {
    expect(textsOf(anEvent.text('a'), anEvent.last(), anEvent.text('b'))).to.deep.equal(['a', 'a', 'b']);
  });

  it('drops the open blocks of a run when it ends', () => {
    expect(textsOf(anEvent.text('a'), anEvent.postCall(), anEvent.text('b'))).to.deep.equal(['a', 'b']);
    expect(
      textsOf(anEvent.text('a', of('r1')), anEvent.postCall('x', of('r2')), anEvent.text('b', of('r1'))),
    ).to.deep.equal(['a', 'ab']);
  });

  it('passes on other events unchanged and mutates no chunk', () => {
    const [pre, chunk] = [anEvent.preCall(), anEvent.text('a')];
    const out: HookEvent[] = [];
    from([pre, chunk])
      .pipe(accumulate())
      .subscribe((event) => out.push(event));
    expect(out[0]).to.equal(pre);
    expect(chunk).not.to.have.property('accumulated');
  });

  it('keeps its text for each subscription', () => {
    const events$ = from([anEvent.text('a')]).pipe(accumulate());
    const texts: unknown[] = [];
    for (let n = 0; n < 2; n++) events$.subscribe((event) => texts.push('accumulated' in event && event.accumulated));
    expect(texts).to.deep.equal(['a', 'a']);
  });

  it('shows a retried step as one text, not two', () => {
    const again = defineHook({
      name: 'again',
      on: { error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : undefined) },
    });
    const model = scriptedModel([{ chunks: ['Hel'], error: 'cut' }, { chunks: ['Hel', 'lo'] }]);
    const texts: string[] = [];
    createAgent({ name: 'a', model, pipeline: createPipeline([again]) })
      .run('go')
      .pipe(accumulate())
      .subscribe((event) => {
        if (event.type === 'reasoningChunk') texts.push(`${event.attempt} ${event.accumulated}`);
      });
    expect(texts).to.deep.equal(['1 Hel', '2 Hel', '2 Hello', '2 Hello']);
  });
});
