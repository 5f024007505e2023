import type { Context, RootHookObject } from 'mocha';

/** How long what the specs of a file have started may take to end, in milliseconds. */
const LINGER_MS = Number(process.env['HOOKLINE_LINGER_MS'] ?? 60_000);
const LOOK_EVERY_MS = 20;

/** What a spec has to end itself; a socket that is kept for the next request is none of it. */
const KINDS = ['ProcessWrap', 'TCPServerWrap', 'PipeServerWrap', 'FSEventWrap', 'StatWatcher', 'Worker'];

let before: readonly string[] = [];

/** A file that leaves a process or a server behind fails, by name; it would keep the specs from ending or outlive them. */
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
    // A worker of mocha's goes on with the next file; alone, mocha would wait for ever.
    if (process.env['MOCHA_WORKER_ID'] === undefined) setTimeout(() => process.exit(), LINGER_MS).unref();
    throw new Error(
      `The specs are over, and something is still open: ${left.join(', ')} (${details().join('; ')}), in ${filesOf(this)}.`,
    );
  },
};

function open(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => KINDS.includes(kind));
}

/** The kinds of which there are more than before. */
function added(): readonly string[] {
  const count = (list: readonly string[], kind: string) => list.filter((one) => one === kind).length;
  const now = open();
  return KINDS.filter((kind) => count(now, kind) > count(before, kind));
}

/** The commands of processes and the addresses of servers; what a file had open before stands among them. */
function details(): readonly string[] {
  // There is no documented way to them. Where this one goes, the kinds are told.
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
