import { AsyncLocalStorage } from 'node:async_hooks';

type Write = typeof process.stdout.write;

const loading = new AsyncLocalStorage<true>();
let active = 0;
let original: Write;

/**
 * Runs code of a module whose output goes to standard error. On standard output, it would be part of the answer of a command. The output of other code stays
 * on standard output.
 */
export async function printAside<T>(run: () => Promise<T>): Promise<T> {
  if (active === 0) {
    original = process.stdout.write;
    process.stdout.write = writeAside as Write;
  }
  active += 1;
  try {
    return await loading.run(true, run);
  } finally {
    active -= 1;
    if (active === 0 && process.stdout.write === writeAside) process.stdout.write = original;
  }
}

function writeAside(...args: Parameters<Write>): boolean {
  return loading.getStore() ? process.stderr.write(...args) : original.apply(process.stdout, args);
}
