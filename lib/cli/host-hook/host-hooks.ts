import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HookLease, LiveHooks } from '../../config/index.ts';
import { fileState } from '../../config/live/file-state.ts';
import { findModule } from '../../config/modules/find-module.ts';
import { loadedEsModules } from '../../config/modules/lend-to-es-modules.ts';
import type { HostName } from '../../config/reach/host-parts.ts';
import { fileStateStore } from '../../store/state/file-state-store.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { configFiles } from '../presets/preset.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { createLog } from '../setup/create-log.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';

/** The hooks of a configuration for the folders that hosts work in. */
export interface HostHooks {
  /** The hooks for calls in this folder. What cannot be loaded is told each time; rejects with the reason of `signal` where loading takes longer. */
  lease(folder?: string, signal?: AbortSignal): Promise<HostLease>;
  /** The files that they were made from, with their states then; `failed` if some could not be made. */
  watched(): { readonly files: ReadonlyMap<string, string>; readonly failed: boolean };
  /** Ends the hooks. Resolves after so many milliseconds at the latest: one may load or observe for ever. */
  close(atMostMs?: number): Promise<void>;
}

/** Hooks in use, and where they keep what outlives a run. */
export interface HostLease extends Pick<HookLease, 'pipeline' | 'release'> {
  readonly store: StateStore;
}

const CLOSE_MS = 10_000;

/** What has not been loaded by then may never be. */
const STUCK_MS = 10_000;

/** Folders at a time; the one that was wanted first is loaded anew when it is wanted again. */
const MOST_FOLDERS = 16;

/** `tells` says whether the log is told what of the hooks can guard nothing in this host: each call of a command hook would say so again. */
export function createHostHooks(flags: HookFlags, host: HostName, tells = true): HostHooks {
  const kept = new Map<string, Promise<LiveHooks>>();
  const stores = new WeakMap<LiveHooks, StateStore>();
  const since = new WeakMap<Promise<LiveHooks>, number>();
  const states = new Map<string, string>();
  const ending = new Set<Promise<void>>();
  const began = Date.now();
  let failed = false;

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
      // Which of its states was read, nobody knows.
      const unsure = (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > began - CLOCK_MS;
      states.set(file, unsure ? 'unsure' : fileState(file));
    }
  }

  async function load(folder: string): Promise<LiveHooks> {
    const files = configFiles(flags);
    for (const file of files) states.set(file, states.get(file) ?? fileState(file));
    const { config } = loadFlags(flags);
    const root = workspaceOf(folder || undefined, config.settings.workspace, 'The directory of the event,');
    const live = await configuredHooks(flags, {
      audit: auditPath(root),
      workspace: root,
      stateFolder: hooksFolder(root),
      log: createLog('warn', (line) => void process.stderr.write(line)),
      ...(tells && { guarded: () => ({ name: host }) }),
    });
    stores.set(live, fileStateStore(join(hooksFolder(root), 'store')));
    note([...live.watched, ...flags.hooks.flatMap((name) => findModule(name, process.cwd()) ?? [])]);
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
        // One caller has left; others may wait for the same.
        if (signal.aborted && performance.now() - (since.get(live) ?? 0) < STUCK_MS) throw thrown;
        failed = true;
        if (kept.get(folder) === live) drop(folder);
        throw thrown;
      }
    },
    watched() {
      note(loadedModules());
      return { files: states, failed };
    },
    async close(atMostMs = CLOSE_MS) {
      for (const folder of [...kept.keys()]) drop(folder);
      await Promise.race([Promise.all(ending), sleep(atMostMs, undefined, { ref: false })]);
    },
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
  });
}

/** The clock of a file system may be so late. */
const CLOCK_MS = 20;

/** What modules of hooks have loaded for themselves, as far as Node tells. */
function loadedModules(): readonly string[] {
  const root = dirname(require.resolve('hookline/package.json'));
  const own = [join(root, 'dist', sep), join(root, 'lib', sep)];
  return [...Object.keys(require.cache), ...loadedEsModules()].filter(
    (file) => !file.includes('node_modules') && !own.some((folder) => file.startsWith(folder)),
  );
}
