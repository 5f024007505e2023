import { expect } from 'chai';
import { concat, map, mergeMap, NEVER, type Observable, of, retry, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { type ToolTimeLimitOptions, toolTimeLimit } from '../../../lib/hooks/tool-time-limit/tool-time-limit.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { defineTool, type ToolItem } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

/** The outcome and time of a call, in virtual time. */
function call(
  limits: ToolTimeLimitOptions['limits'],
  execute: (signal: AbortSignal) => Observable<ToolItem>,
  more: Parameters<typeof createPipeline>[0] = [],
) {
  const ended: string[] = [];
  const scheduler = new TestScheduler(() => {});
  scheduler.run(() => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      execute: (_, { signal }) => execute(signal),
    });
    const run = createPipeline([toolTimeLimit({ limits }), ...more], { scheduler }).start({ agent: 'a' });
    run.act({ id: 'c', name: 'work', input: {} }, [tool]).subscribe((event) => {
      if (event.type === 'postActing') ended.push(`${scheduler.now()} ${event.outcome}: ${event.result.content}`);
    });
  });
  return ended;
}

const working = (ms: number): Observable<ToolItem> => concat(of('a', 'b'), timer(ms).pipe(map(() => 'c')));

describe('toolTimeLimit', () => {
  it('stops a tool at its timeout, aborts its signal and returns its output so far', () => {
    let signal: AbortSignal | undefined;
    const ended = call([{ ms: 500 }], (given) => {
      signal = given;
      return concat(of('a', 'b'), NEVER);
    });
    expect(ended).to.deep.equal(['500 executed: ab\n[Stopped: it ran longer than 0.5 s.]']);
    expect(signal?.aborted).to.equal(true);
  });

  it('leaves a tool alone that ends in time', () =>
    expect(call([{ ms: 500 }], () => working(499))[0]).to.equal('499 executed: abc'));

  it('keeps the result of a tool that continues after it', () =>
    expect(call([{ ms: 50 }], () => concat(of({ content: 'done', isError: false }), NEVER))[0]).to.include(
      'executed: done',
    ));

  it('applies the first entry that matches the tool', () => {
    const limits = [{ tools: ['other'], ms: 1 }, { tools: ['wo*'], ms: 20 }, { ms: 5 }];
    expect(call(limits, () => NEVER)[0]).to.match(/^20 /);
    expect(call(limits.slice(0, 1), () => working(100))[0]).to.match(/^100 /);
  });

  it('gives each attempt of an outer wrapper the full time', () => {
    let tries = 0;
    const again = defineHook({ name: 'again', around: { acting: (_, next) => next().pipe(retry(1)) } });
    const failing = timer(60).pipe(mergeMap(() => throwError(() => new Error('no line'))));
    const ended = call([{ ms: 100 }], () => (++tries === 1 ? failing : NEVER), [again]);
    expect(ended[0]).to.match(/^160 executed: \[Stopped/);
  });

  it('rejects invalid options', () => {
    expect(() => toolTimeLimit({ limits: [] }))
      .to.throw('must contain at least one limit')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => toolTimeLimit({ limits: [{ ms: 0 }] })).to.throw(/limits\.0\.ms/);
  });

  it('keeps the hook contract', () => hookContract(toolTimeLimit({ limits: [{ ms: 60_000 }] })));
});
