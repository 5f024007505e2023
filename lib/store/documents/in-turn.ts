const queues = new Map<string, Promise<unknown>>();

/** Runs `work` after all that was asked for the same `name` in this process before, whichever store asked. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(name) ?? Promise.resolve();
  const turn = before.then(work, work);
  queues.set(name, turn);
  try {
    return await turn;
  } finally {
    if (queues.get(name) === turn) queues.delete(name);
  }
}
