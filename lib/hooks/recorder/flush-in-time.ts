const waiting = new Set<() => void>();

/**
 * Calls `flush` at the end of the current turn of the event loop, or when the process exits before. Until then, further calls with the same function
 * have no effect. `flush` must not throw.
 */
export function flushInTime(flush: () => void): void {
  if (waiting.size === 0) {
    process.on('exit', flushAll);
    setImmediate(flushAll);
  }
  waiting.add(flush);
}

function flushAll(): void {
  process.off('exit', flushAll);
  const due = [...waiting];
  waiting.clear();
  for (const flush of due) flush();
}
