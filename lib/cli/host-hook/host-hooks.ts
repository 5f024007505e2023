import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HookLease, LiveHooks } from '../../config/index.ts';
import { fileState } from '../../config/live/file-state.ts';
import { findModule } from '../../config/modules/find-module.ts';
import { loadedEsModules } from '../../config/modules/lend-to-es-modules.ts';
import { packageFolder } from '../../config/modules/package-folder.ts';
import type { HostName } from '../../config/reach/host-parts.ts';
import type { AskFunction } from '../../hooks/asking/ask-function.ts';
import { fileStateStore } from '../../store/state/file-state-store.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import { configFiles } from '../presets/preset.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { createLog } from '../setup/create-log.ts';
import { askPage } from './ask-page.ts';
import type { HostHookFlags } from './host-hook-flags.ts';
import { hostParts } from './host-parts.ts';
import { tokenIn } from './token-in.ts';

/** Hooks of a configuration for the working directories of hosts. */
export interface HostHooks {
  /**
   * Returns the hooks for calls in this folder. Errors of loading are reported each time. Rejects with the reason of `signal` if loading takes
   * longer.
   */
  lease(folder?: string, signal?: AbortSignal): Promise<HostLease>;
  /** The files of the hooks, with their states at loading. `failed` is true if some hooks could not be created. */
  watched(): { readonly files: ReadonlyMap<string, string>; readonly failed: boolean };
  /** Ends the hooks. Resolves after this many milliseconds at the latest, because a hook may load or observe forever. */
  close(atMostMs?: number): Promise<void>;
}

/** Active hooks, and the store for data that outlives a run. */
export interface HostLease extends Pick<HookLease, 'pipeline' | 'release'> {
  readonly store: StateStore;
}

const CLOSE_MS = 10_000;

/** Loading that takes longer than this may never finish. */
const STUCK_MS = 10_000;

/** Maximum number of folders. The least recently loaded one is dropped, and reloaded on demand. */
const MOST_FOLDERS = 16;

/** `reports` enables log messages about hooks without effect in this host. Otherwise each call of a command hook would repeat them. */
export function createHostHooks(flags: HookFlags & Partial<HostHookFlags>, host: HostName, reports = true): HostHooks {
  const kept = new Map<string, Promise<LiveHooks>>();
  const stores = new WeakMap<LiveHooks, StateStore>();
  const since = new WeakMap<Promise<LiveHooks>, number>();
  const states = new Map<string, string>();
  /** Folders of packages of hooks. */
  const packages = new Set<string>();
  const ending = new Set<Promise<void>>();
  const began = Date.now();
  let failed = false;
  const ask = askingOf(flags);

  function drop(folder: string): void {
    const live = kept.get(folder);
    kept.delete(folder);
    const end = Promise.resolve(live)
      .then((one) => one?.close())
      .catch(() => {})
      .finally(() => ending.delete(end));
    ending.add(end);
  }

  function note(files: readonly string[]): void {
    for (const file of files) {
      if (states.has(file)) continue;
      // It is unknown which state of the file was read.
      const unsure = (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > began - CLOCK_MS;
      states.set(file, unsure ? 'unsure' : fileState(file));
    }
  }

  async function load(folder: string): Promise<LiveHooks> {
    const files = configFiles(flags);
    for (const file of files) states.set(file, states.get(file) ?? fileState(file));
    const { workspace, home, project, floor, stateFolder } = await hostParts(flags, host, folder);
    const live = await configuredHooks(flags, {
      audit: auditPath(home),
      ...{ workspace, project, stateFolder, floor },
      ...(ask && { ask, inbox: { ask } }),
      log: createLog('warn', (line) => void process.stderr.write(line)),
      ...(reports && { guarded: () => ({ name: host }) }),
    });
    stores.set(live, fileStateStore(join(stateFolder, 'store')));
    const made = [...live.watched, ...flags.hooks.flatMap((name) => findModule(name, process.cwd()) ?? [])];
    note(made);
    for (const file of made) {
      const named = packageFolder(file);
      if (named === undefined || named === ownFolder()) continue;
      packages.add(named);
      // It decides which file the package exports.
      note([join(named, 'package.json')]);
    }
    return live;
  }

  return {
    async lease(folder = '', signal = new AbortController().signal) {
      const live = kept.get(folder) ?? load(folder);
      if (!kept.has(folder)) since.set(live, performance.now());
      kept.set(folder, live);
      const [oldest] = kept.keys();
      if (kept.size > MOST_FOLDERS && oldest !== undefined) drop(oldest);
      try {
        const loaded = await unlessAborted(live, signal);
        return { ...(await loaded.lease()), store: stores.get(loaded) as StateStore };
      } catch (thrown) {
        // One caller left, but others may wait for the same hooks.
        if (signal.aborted && performance.now() - (since.get(live) ?? 0) < STUCK_MS) throw thrown;
        failed = true;
        if (kept.get(folder) === live) drop(folder);
        throw thrown;
      }
    },
    watched() {
      note(loadedModules(packages));
      return { files: states, failed };
    },
    async close(atMostMs = CLOSE_MS) {
      for (const folder of [...kept.keys()]) drop(folder);
      await Promise.race([Promise.all(ending), sleep(atMostMs, undefined, { ref: false })]);
    },
  };
}

/** How long before the timeout of an answer the page stops asking, in seconds. */
const EARLIER = 2;

function askingOf({ inbox, tokenEnv = '', timeout = 0 }: Partial<HostHookFlags>): AskFunction | undefined {
  if (inbox === undefined) return undefined;
  return askPage({ url: inbox, token: tokenIn(tokenEnv), timeoutMs: Math.max(1, timeout - EARLIER) * 1_000 });
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
  });
}

/** Possible inaccuracy of file system times. */
const CLOCK_MS = 20;

/** Returns the modules that hook modules have loaded, as far as Node knows. Of packages, only those that the hooks are from. */
function loadedModules(packages: ReadonlySet<string>): readonly string[] {
  const own = ['dist', 'lib'].map((name) => join(ownFolder(), name, sep));
  return [...Object.keys(require.cache), ...loadedEsModules()].filter((file) => {
    const from = packageFolder(file);
    return (from === undefined || packages.has(from)) && !own.some((folder) => file.startsWith(folder));
  });
}

function ownFolder(): string {
  return dirname(require.resolve('hookline/package.json'));
}
