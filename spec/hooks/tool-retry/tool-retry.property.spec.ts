import { expect } from 'chai';
import fc from 'fast-check';
import { throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { toolRetry } from '../../../lib/hooks/tool-retry/tool-retry.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';

/** The run times of a tool that always fails. */
function runs(options: Parameters<typeof toolRetry>[0], random: () => number): number[] {
  const began: number[] = [];
  const scheduler = new TestScheduler(() => {});
  scheduler.run(() => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      permission: 'read',
      execute: () => {
        began.push(scheduler.now());
        return throwError(() => Object.assign(new Error('busy'), { status: 503 }));
      },
    });
    const run = createPipeline([toolRetry(options, { random })], { scheduler }).start({ agent: 'a' });
    run.act({ id: 'c', name: 'work', input: {} }, [tool]).subscribe();
  });
  return began;
}

const options = fc.record({
  attempts: fc.integer({ min: 2, max: 8 }),
  delayMs: fc.integer({ min: 0, max: 5_000 }),
  more: fc.integer({ min: 0, max: 20_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  chance: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
});

describe('toolRetry with any options', () => {
  it('runs a tool up to its attempts, with waits between the jittered and the full delay', () =>
    fc.assert(
      fc.property(options, ({ attempts, delayMs, more, jitter, chance }) => {
        let drawn = 0;
        const maxDelayMs = delayMs + more;
        const began = runs({ attempts, delayMs, maxDelayMs, jitter }, () => chance[drawn++] as number);
        expect(began).to.have.length(attempts);
        began.slice(1).forEach((at, index) => {
          const waited = at - (began[index] as number);
          const whole = Math.min(maxDelayMs, delayMs * 2 ** index);
          expect(waited).to.be.within(whole * (1 - jitter) - 1e-6, whole + 1e-6);
        });
      }),
    ));
});
