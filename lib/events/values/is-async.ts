import { isObservable, type Observable } from 'rxjs';

/** Returns whether a function returned a promise or an Observable. */
export function isAsync(value: unknown): value is PromiseLike<unknown> | Observable<unknown> {
  return typeof value === 'object' && value !== null && (isObservable(value) || isThenable(value));
}

/** Returns whether `value` is a promise or a thenable. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

export function isAsyncIterable<T>(value: unknown): value is AsyncIterable<T> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Ignores the outcome of a promise, so that it does not become an unhandled rejection. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) value.then(undefined, () => {});
}
