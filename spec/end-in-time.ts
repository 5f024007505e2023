import type { RootHookObject } from 'mocha';

/** How long after the last spec mocha may take to end, in milliseconds. */
const LINGER_MS = Number(process.env['HOOKLINE_LINGER_MS'] ?? 10_000);

/** A spec that leaves something open, as one does whose process outlives its time-out, would keep mocha from ever ending: it fails instead. */
export const mochaHooks: RootHookObject = {
  afterAll() {
    const late = setTimeout(() => {
      const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
      console.error(`The specs are over, and something is open that keeps this process from ending: ${open}.`);
      // Behind mocha's own word on how it has gone, which says nothing of this.
      process.once('exit', () => {
        process.exitCode = 1;
      });
      process.exit();
    }, LINGER_MS);
    late.unref();
  },
};
