import { asyncScheduler } from 'rxjs';

interface Runtime {
  readonly process?: { getActiveResourcesInfo?: () => string[] };
}

/** How often `settled` checks again before it reports a leak. */
const LOOKS = 300;

/** Returns the resources that keep the process alive (timers, sockets, ..), by kind. Empty if the runtime has no such information. */
function count(): ReadonlyMap<string, number> {
  const kinds = (globalThis as Runtime).process?.getActiveResourcesInfo?.() ?? [];
  return kinds.reduce((sum, kind) => sum.set(kind, (sum.get(kind) ?? 0) + 1), new Map<string, number>());
}

/** Records the active resources. The returned function later reports the kinds with more resources. */
export async function watchResources(): Promise<() => Promise<readonly string[]>> {
  await pause();
  const before = count();
  return async () => {
    for (let look = 1; ; look++) {
      await pause();
      const more = [...count()].filter(([kind, now]) => now > (before.get(kind) ?? 0)).map(([kind]) => kind);
      if (more.length === 0 || look === LOOKS) return more;
    }
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => asyncScheduler.schedule(() => resolve(), 5));
}
