import type { Context, RootHookObject } from 'mocha';

/** How long resources of the specs of a file may take to close, in milliseconds. */
const LINGER_MS = Number(process.env['HOOKLINE_LINGER_MS'] ?? 60_000);
const LOOK_EVERY_MS = 20;

/** Resources that a spec must close. A keep-alive socket does not count. */
const KINDS = ['ProcessWrap', 'TCPServerWrap', 'PipeServerWrap', 'FSEventWrap', 'StatWatcher', 'Worker'];

let before: readonly string[] = [];

/** Fails a file that leaves a process or server open, by name. It would keep mocha alive or outlive it. */
export const mochaHooks: RootHookObject = {
  beforeAll() {
    before = open();
  },
  async afterAll(this: Context) {
    this.timeout(LINGER_MS + 10_000);
    const until = performance.now() + LINGER_MS;
    let left = added();
    while (left.length > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      left = added();
    }
    if (left.length === 0) return;
    // A mocha worker continues with the next file. Without workers, mocha would wait forever.
    if (process.env['MOCHA_WORKER_ID'] === undefined) setTimeout(() => process.exit(), LINGER_MS).unref();
    throw new Error(
      `The specs are over, and something is still open: ${left.join(', ')} (${details().join('; ')}), in ${filesOf(this)}.`,
    );
  },
};

function open(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => KINDS.includes(kind));
}

/** Kinds with more resources than before. */
function added(): readonly string[] {
  const count = (list: readonly string[], kind: string) => list.filter((one) => one === kind).length;
  const now = open();
  return KINDS.filter((kind) => count(now, kind) > count(before, kind));
}

/** Commands of processes and addresses of servers, including those open before the file. */
function details(): readonly string[] {
  // No documented API exists for them. Without this one, only the kinds are reported.
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => readonly Handle[] };
  return (handles?.call(process) ?? []).flatMap(({ spawnargs, address }, index, all) => {
    if (spawnargs) return [spawnargs.join(' ').slice(0, 300)];
    const at = 'listening' in (all[index] ?? {}) ? address?.call(all[index]) : undefined;
    return at ? [JSON.stringify(at)] : [];
  });
}

interface Handle {
  readonly spawnargs?: readonly string[];
  readonly address?: () => unknown;
}

function filesOf({ test }: Context): string {
  const { suites = [], tests = [] } = test?.parent ?? {};
  const files = new Set([...suites, ...tests].map(({ file }) => file));
  return files.size < 3 ? [...files].join(', ') : `one of ${files.size} files`;
}
