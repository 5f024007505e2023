import { expect } from 'chai';
import fc from 'fast-check';
import { identity, type Observable, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { connectionEnded } from '../../../lib/errors/connection-ended.ts';
import { HooklineError } from '../../../lib/errors.ts';
import type { HookEvent } from '../../../lib/events/hook-event.ts';
import { modelFallback } from '../../../lib/hooks/model-fallback/model-fallback.ts';
import {
  type ModelRetryOptions,
  type ModelRetryParts,
  modelRetry,
} from '../../../lib/hooks/model-retry/model-retry.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

const failure = (members: object, message = 'it failed') => Object.assign(new Error(message), members);
const busy = (retryAfter?: string) =>
  failure({ status: 429, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }) });
const chunks: Record<string, ModelChunk> = {
  a: { type: 'text', delta: 'a' },
  b: { type: 'text', delta: 'b' },
  t: { type: 'thinking', delta: 't' },
  f: { type: 'finish', finishReason: 'stop' },
};

interface Scene {
  readonly options?: ModelRetryOptions;
  readonly parts?: ModelRetryParts;
  readonly more?: (marble: (diagram: string, error?: unknown) => Observable<ModelChunk>) => readonly Hook[];
  /** The time at which the consumer unsubscribes. */
  readonly leaves?: number;
}

/**
 * Runs an agent whose model answers each request with the next diagram, optionally with an error. Returns when the model was asked and unsubscribed, and
 * the output of the consumer: `1a` is the text a of the first attempt.
 */
function run(answers: readonly (readonly [string, unknown?])[], { options, parts, more, leaves }: Scene = {}) {
  const scheduler = new TestScheduler(() => {});
  const asked: string[] = [];
  const seen: string[] = [];
  const lines: string[] = [];
  const notes: object[] = [];
  const warn = (...line: unknown[]) => void lines.push(JSON.stringify(line));
  scheduler.run(({ cold }) => {
    const marble = (diagram: string, error?: unknown) => cold(diagram, chunks, error);
    const hook = modelRetry({ jitter: 0, ...options }, parts);
    const pipeline = createPipeline([hook, ...(more?.(marble) ?? [])], {
      scheduler,
      log: { debug() {}, info() {}, warn, error() {} },
    });
    const model = () => {
      asked.push(String(scheduler.now()));
      return marble(...((answers[asked.length - 1] ?? ['(bf|)']) as [string, unknown?]));
    };
    const run$ = createAgent({ name: 'a', model, pipeline }).run('go') as Observable<HookEvent>;
    run$.pipe(leaves === undefined ? identity : takeUntil(timer(leaves, scheduler))).subscribe((event) => {
      if (event.type === 'reasoningChunk' && event.delta)
        seen.push(`${scheduler.now()} ${event.attempt}${event.delta}`);
      if (event.type === 'postReasoning') notes.push(...(event.notes ?? []));
      if (event.type === 'postCall') seen.push(`${scheduler.now()} ${event.outcome}`);
    });
  });
  return { asked: asked.map(Number), seen, lines, notes };
}

describe('modelRetry', () => {
  it('retries on 429, 5xx, timeouts and connection errors, with a doubled wait each time', () => {
    for (const members of [
      { status: 429 },
      { statusCode: 500 },
      { status: 503 },
      { status: 529 },
      { response: { status: 502 } },
      { status: 408 },
      { code: 'ECONNRESET' },
      { cause: { code: 'ECONNREFUSED' } },
      { cause: { code: 'UND_ERR_SOCKET' } },
      { name: 'TimeoutError' },
    ]) {
      const error = failure(members);
      const { asked, seen } = run([['#', error], ['#', error], ['(af|)']]);
      expect(asked, JSON.stringify(members)).to.deep.equal([0, 1_000, 3_000]);
      expect(seen).to.deep.equal(['3000 3a', '3000 completed']);
    }
  });

  it('reads errors that a model adapter wraps in its own', () => {
    const wrapped = (cause?: unknown) => new HooklineError('MODEL_FAILED', 'model "x": it failed', { cause });
    expect(run([['#', wrapped(busy('2'))]]).asked).to.deep.equal([0, 2_000]);
    expect(run([['#', wrapped(failure({ status: 400 }))]]).asked).to.deep.equal([0]);
    expect(run([['#', wrapped()]]).asked).to.deep.equal([0]);
    expect(run([['a#', connectionEnded()]]).asked).to.deep.equal([0, 1_001]);
  });

  it('does not retry permanent errors unless configured', () => {
    for (const members of [{ status: 400 }, { status: 401 }, { status: 404 }, { status: 422 }, {}]) {
      const { asked, seen } = run([['#', failure(members, 'bad request')]]);
      expect(asked).to.deep.equal([0]);
      expect(seen).to.deep.equal(['0 failed']);
      expect(run([['#', failure(members)]], { options: { on: ['other'] } }).asked).to.deep.equal([0, 1_000]);
      const options = { errorTexts: ['bad req'] };
      expect(run([['#', failure(members, 'bad request')]], { options }).asked).to.deep.equal([0, 1_000]);
    }
    expect(run([['#', busy()]], { options: { on: ['server'] } }).asked).to.deep.equal([0]);
    expect(
      run([['#', new HooklineError('RUN_ABORTED' as never, 'no')]], { options: { on: ['other'] } }).asked,
    ).to.deep.equal([0]);
  });

  it('fails with the last error after the maximum of attempts', () => {
    const { asked, seen } = run(Array(5).fill(['#', busy()]), { options: { attempts: 4 } });
    expect(asked).to.deep.equal([0, 1_000, 3_000, 7_000]);
    expect(seen).to.deep.equal(['7000 failed']);
  });

  it('waits for Retry-After, in seconds or as a date, and fails if it is too long', () => {
    expect(run([['#', busy('7')]]).asked).to.deep.equal([0, 7_000]);
    expect(run([['3ms #', busy(new Date(9_000).toUTCString())]]).asked).to.deep.equal([0, 9_000]);
    expect(run([['#', busy('0')]]).asked).to.deep.equal([0, 1_000]);
    expect(run([['#', busy(new Date(0).toUTCString())]]).asked).to.deep.equal([0, 1_000]);
    expect(run([['#', busy('soon')]]).asked).to.deep.equal([0, 1_000]);
    const tooLong = run([['#', busy('61')]]);
    expect([tooLong.asked, tooLong.seen]).to.deep.equal([[0], ['0 failed']]);
    const headers = new Headers({ 'Retry-After': '2' });
    expect(run([['#', failure({ status: 503, response: { headers } })]]).asked).to.deep.equal([0, 2_000]);
  });

  it('waits within its limits for any jitter', () =>
    fc.assert(
      fc.property(
        fc.record({ delayMs: fc.nat(5_000), more: fc.nat(5_000), jitter: fc.double({ min: 0, max: 1, noNaN: true }) }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat(10)),
        ({ delayMs, more, jitter }, chance, wanted) => {
          const maxDelayMs = delayMs + more;
          const options = { delayMs, maxDelayMs, jitter, attempts: 5 };
          const error = busy(wanted === null ? undefined : String(wanted));
          const { asked } = run(Array(5).fill(['#', error]), { options, parts: { random: () => chance } });
          expect(asked).to.have.length((wanted ?? 0) * 1_000 > maxDelayMs ? 1 : 5);
          for (const [at, when] of asked.slice(1).entries()) {
            const waited = when - (asked[at] as number);
            const full = Math.min(maxDelayMs, delayMs * 2 ** at);
            expect(waited).to.be.at.least((wanted ?? 0) * 1_000 - 1);
            expect(waited).to.be.at.most(Math.max(full, (wanted ?? 0) * 1_000) + 1);
            expect(waited).to.be.at.least(full * (1 - jitter) - 1);
          }
        },
      ),
      { numRuns: 40 },
    ));

  it('retracts the text of an attempt that fails later', () => {
    const { seen, notes } = run([['a-a-#', busy()], ['(bf|)']]);
    expect(seen).to.deep.equal(['0 1a', '2 1a', '1004 2b', '1004 completed']);
    expect(notes).to.deep.equal([
      {
        by: 'model-retry',
        code: 'model-retried',
        message: 'The model request had 2 attempts; the last retry was because of: rateLimit.',
        data: { attempts: 2, why: 'rateLimit' },
      },
    ]);
  });

  it('does not retry after text if configured', () => {
    const options = { afterText: false };
    for (const diagram of ['a-#', 't-#']) {
      const { asked, seen } = run([[diagram, busy()]], { options });
      expect(asked).to.deep.equal([0]);
      expect(seen.at(-1)).to.equal('2 failed');
    }
    expect(run([['--#', busy()]], { options }).asked).to.deep.equal([0, 1_002]);
  });

  it('stops when the run is cancelled during a wait or an answer', () => {
    expect(run([['#', busy()]], { leaves: 999 }).asked).to.deep.equal([0]);
    expect(run([['#', busy()]], { leaves: 1_001 }).asked).to.deep.equal([0, 1_000]);
    expect(run([['10s #', busy()]], { leaves: 500 }).asked).to.deep.equal([0]);
  });

  it('gives each model of model-fallback all its attempts', () => {
    const others: number[] = [];
    const { asked, seen } = run(Array(3).fill(['#', busy()]), {
      options: { attempts: 2 },
      more: (marble) => [
        modelFallback(
          { models: ['other'] },
          { models: { other: () => (others.push(1) === 1 ? marble('#', busy()) : marble('(bf|)')) } },
        ),
      ],
    });
    expect(asked).to.deep.equal([0, 1_000]);
    expect(others).to.have.length(2);
    expect(seen.at(-1)).to.equal('2000 completed');
  });

  it('leaves an answer alone and logs no text of a provider', () => {
    const fine = run([['(af|)']]);
    expect([fine.asked, fine.notes, fine.lines]).to.deep.equal([[0], [], []]);
    const { lines } = run([['#', failure({ status: 500 }, 'the word of the provider')]]);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('"attempt":1,"why":"server","ms":1000').and.not.include('the word');
  });

  it('reads any thrown value', () => {
    for (const thrown of ['text', null, undefined, 5])
      expect(run([['#', thrown]], { options: { on: ['other'] } }).asked, String(thrown)).to.deep.equal([0, 1_000]);
  });

  it('rejects invalid options', () => {
    for (const [options, issue] of [
      [{ attempts: 1 }, /attempts/],
      [{ delayMs: 9, maxDelayMs: 8 }, /maxDelayMs: must be at least delayMs/],
      [{ on: [] }, /on: must contain a kind of failure/],
      [{ jitter: 2 }, /jitter/],
    ] as const)
      expect(() => modelRetry(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(modelRetry()));
});
