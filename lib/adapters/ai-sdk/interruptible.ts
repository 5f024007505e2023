/**
 * Returns an async iterable over the output of `start`. Its `return()` interrupts a pending `next()` at once. An async generator would queue the
 * `return()` until the slow `next()` settles. Both `outer` and `return()` abort the signal.
 */
export function interruptible<T>(
  outer: AbortSignal,
  start: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const abort = () => controller.abort(outer.reason);
      const unlink = () => outer.removeEventListener('abort', abort);
      const end: IteratorResult<T, void> = { done: true, value: undefined };
      let source: AsyncGenerator<T, void> | undefined;
      let left = false;

      async function next(): Promise<IteratorResult<T, void>> {
        try {
          source ??= link();
          const result = await source.next();
          if (result.done) unlink();
          return result;
        } catch (error) {
          unlink();
          if (left) return end;
          throw error;
        }
      }

      function link(): AsyncGenerator<T, void> {
        if (outer.aborted) abort();
        else outer.addEventListener('abort', abort, { once: true });
        return start(controller.signal);
      }

      async function leave(): Promise<IteratorResult<T, void>> {
        left = true;
        unlink();
        controller.abort(new DOMException('The consumer stopped reading the stream.', 'AbortError'));
        await source?.return().catch(() => {});
        return end;
      }

      return { next, return: leave };
    },
  };
}
