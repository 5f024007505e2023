import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subscription, tap } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';

/** The reason why an answer is rejected although the model has not failed. */
export class NoAnswer extends HooklineError {
  readonly why: 'silence' | 'refusal';

  constructor(why: NoAnswer['why'], message: string) {
    super('MODEL_FAILED', message);
    this.why = why;
  }
}

/** Fails with `NoAnswer` if no chunk arrives for `ms` milliseconds while hooks are idle. */
export function failOnSilence(
  ms: number,
  scheduler: SchedulerLike,
  whenIdle: (callback: () => void) => void,
): MonoTypeOperatorFunction<ModelChunk> {
  return (chunks$) =>
    new Observable((subscriber) => {
      let timer = Subscription.EMPTY;
      function listen(): void {
        timer.unsubscribe();
        const mine = scheduler.schedule(() => {
          let busy = false;
          whenIdle(() => {
            if (timer !== mine || subscriber.closed) return;
            if (busy) listen();
            else subscriber.error(new NoAnswer('silence', `it sent nothing for ${ms / 1_000} s`));
          });
          busy = true;
        }, ms);
        timer = mine;
      }
      listen();
      subscriber.add(() => timer.unsubscribe());
      subscriber.add(chunks$.pipe(tap(listen)).subscribe(subscriber));
    });
}

/**
 * Fails with `NoAnswer` at the end of an answer that the provider filtered, or that begins with one of the given texts. Case and quotes are ignored.
 */
export function failOnRefusal(given: readonly string[]): MonoTypeOperatorFunction<ModelChunk> {
  const beginnings = given.map(plain);
  const longest = Math.max(0, ...beginnings.map(({ length }) => length));
  return (chunks$) => {
    let begin = '';
    let known = longest === 0;
    return chunks$.pipe(
      tap((chunk) => {
        if (chunk.type === 'text' && !known) {
          begin += chunk.delta;
          known = plain(begin).length >= longest;
        }
        if (chunk.type !== 'finish') return;
        if (chunk.finishReason === 'contentFilter') throw new NoAnswer('refusal', 'the provider filtered its answer');
        const answer = plain(begin);
        if (beginnings.some((one) => answer.startsWith(one))) throw new NoAnswer('refusal', 'it refused to answer');
      }),
    );
  };
}

/** Normalises a text for the comparison, because users do not type the apostrophes that models write. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc\u0060\u00b4]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, ' ')
    .trimStart();
}
