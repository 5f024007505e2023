/**
 * An async iterable over what `start` makes, whose `return()` interrupts a pending `next()` at once. An async generator alone
 * would queue the `return()` behind it, so a slow stream could not be left. Both `outer` and `return()` abort the signal.
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
        controller.abort(new DOMException('The stream was left before its end.', 'AbortError'));
        await source?.return().catch(() => {});
        return end;
      }

      return { next, return: leave };
    },
  };
}
