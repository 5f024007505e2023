import { format } from 'node:util';
import type { Context, RootHookObject } from 'mocha';

const LEVELS = ['log', 'info', 'warn', 'error'] as const;
let written: string[] = [];

// A client that drops unknown data only logs it on the console.
for (const level of LEVELS) {
  const write = console[level].bind(console);
  console[level] = (...line: unknown[]) => {
    write(...line);
    // The reporter of mocha writes between two specs.
    if (during) written.push(format(...line));
  };
}

let during = false;

/** Returns the console output since the spec began, for a spec that expects it. */
export function takeConsole(): readonly string[] {
  const taken = written;
  written = [];
  return taken;
}

/** Fails a spec that causes console output. */
export const mochaHooks: RootHookObject = {
  beforeEach() {
    during = true;
    written = [];
  },
  afterEach(this: Context) {
    during = false;
    const lines = takeConsole();
    if (lines.length > 0 && this.currentTest?.state !== 'failed')
      throw new Error(`The spec has made somebody write to the console:\n${lines.join('\n')}`);
  },
};
