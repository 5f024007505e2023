const queues = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work of the same `name` in this process, across stores. */
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
