import { isObservable, type Observable } from 'rxjs';

/** Whether a function has not answered yet: it returned a promise or an Observable. */
export function isAsync(value: unknown): value is PromiseLike<unknown> | Observable<unknown> {
  return typeof value === 'object' && value !== null && (isObservable(value) || isThenable(value));
}

/** Whether `value` is a promise, or looks like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Lets a promise go that nobody waits for: whatever becomes of it, it must not end as an unhandled rejection. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) value.then(undefined, () => {});
}
