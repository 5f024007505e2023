import { asyncScheduler } from 'rxjs';

interface Runtime {
  readonly process?: { getActiveResourcesInfo?: () => string[] };
}

/** How often `settled` looks again before it believes that something is left. */
const LOOKS = 300;

/** What keeps the process alive (timers, sockets, ..), by kind; nothing where the runtime cannot say. */
function count(): ReadonlyMap<string, number> {
  const kinds = (globalThis as Runtime).process?.getActiveResourcesInfo?.() ?? [];
  return kinds.reduce((sum, kind) => sum.set(kind, (sum.get(kind) ?? 0) + 1), new Map<string, number>());
}

/** Takes note of what is active; the function that it gives says later which kinds have become more. */
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
