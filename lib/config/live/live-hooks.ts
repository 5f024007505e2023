import { resolve } from 'node:path';
import { type Observable, Subject } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { type CompiledConfig, compileConfig, identityOf } from '../compile-config.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import { type ConfigFault, type ConfigNotice, configError, faultsOf, MOST_FAULTS } from '../faults/fault.ts';
import type { HookHost } from '../kinds/hook-kind.ts';
import { type HookKinds, hookKinds } from '../kinds/hook-kinds.ts';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../load-config.ts';
import { reservedNameFaults } from '../merge/reserved-names.ts';
import { fileState } from './file-state.ts';
import { createGeneration, type Generation, type HookLease } from './generation.ts';
import { createHookPool } from './hook-pool.ts';

/** Where hooks come from, and what they are given. */
export interface LiveHooksOptions extends LoadOptions {
  /** Configuration files; the later one wins, field by field. */
  readonly files: readonly string[];
  readonly host?: HookHost;
  /** Hooks that the host brings itself; no configuration takes them away. For kinds of the catalogue there is `floor`. */
  readonly hooks?: readonly Hook[];
  /** Further notices, of the files and of all hooks that are made from them: what has no effect in this host, say. They are logged as others are. */
  readonly notices?: (files: CompiledConfig, hooks: readonly Hook[]) => readonly ConfigNotice[];
  readonly pipeline?: PipelineOptions;
}

/** Told on `changes$` after each reload that has brought something new, or was refused. */
export type ConfigChange =
  | { readonly type: 'reloaded'; readonly generation: number; readonly notices: readonly ConfigNotice[] }
  | { readonly type: 'refused'; readonly generation: number; readonly faults: readonly ConfigFault[] };

/** What came of a reload. */
export type ReloadResult = ConfigChange | { readonly type: 'unchanged'; readonly generation: number };

/** Hooks as files say them, changed while runs go on. */
export interface LiveHooks {
  readonly kinds: HookKinds;
  readonly files: readonly ConfigFile[];
  readonly config: CompiledConfig;
  readonly generation: number;
  /** What the files and further configurations say together. */
  compile(layers: readonly ConfigFile[], findings: Findings): CompiledConfig;
  readonly changes$: Observable<ConfigChange>;
  /** What was wrong at the last reload; nothing where that went well. */
  readonly refused: readonly ConfigFault[];
  /** The files that a change of is worth a reload: the configuration's, and those that its hooks are made from. */
  readonly watched: readonly string[];
  /** The pipeline for a run that begins now; with `layers`, further configurations over the files. Their faults are `CONFIG_INVALID`. */
  lease(layers?: readonly ConfigFile[]): Promise<HookLease>;
  /** Makes what a lease would, and ends it again: `CONFIG_INVALID` tells what is wrong with it. */
  probe(layers: readonly ConfigFile[]): Promise<void>;
  /** Reads the files again. What is new serves the runs that begin from now on; where anything is wrong, nothing changes. Gives what was told. */
  reload(): Promise<ReloadResult>;
  /** Ends the hooks when the last run has given its lease back. There are no leases and no reloads behind it. */
  close(): Promise<void>;
}

/** What the files say, as a text to compare, and the state of each file that hooks are made from. */
interface Look extends LoadedConfig {
  readonly says: string;
  readonly states: ReadonlyMap<string, string>;
}

/** Reads files and makes their hooks. A fault is `CONFIG_INVALID`, which tells all of them. */
export async function createLiveHooks(options: LiveHooksOptions): Promise<LiveHooks> {
  const { host = {}, hooks: own = [], catalogue = createCatalogue(builtIns), env = process.env } = options;
  const { allowWeaker = false, floor } = options;
  const kinds = hookKinds(catalogue);
  const pool = createHookPool(host);
  const changes$ = new Subject<ConfigChange>();
  const ending = new Set<Promise<void>>();
  const closing = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();

  const pipelineOf = (hooks: readonly Hook[]): Pipeline =>
    createPipeline(hooks, { ...(host.log && { log: host.log }), ...options.pipeline });

  /** All that hooks are made from, as it is now. */
  function look(): Look {
    const loaded = loadConfig(options.files, { catalogue, env, allowWeaker, ...(floor && { floor }) });
    const { config, faults } = loaded;
    watched = watchedOf(config);
    if (faults.length === 0) faults.push(...reservedNameFaults(config.hooks, namesOf(own)));
    if (faults.length > 0) throw configError(faults);
    const says = JSON.stringify([config.written, config.hooks.map(identityOf), config.settings]);
    return { ...loaded, says, states: new Map(watched.map((file) => [file, fileState(file)])) };
  }

  function watchedOf({ hooks }: CompiledConfig): readonly string[] {
    const made = hooks.flatMap(({ kind, entry, folder }) => kind.files?.(entry, folder) ?? []);
    return [...new Set([...options.files, ...made].map((file) => resolve(file)))];
  }

  function compile(files: readonly ConfigFile[], base: CompiledConfig, findings: Findings): CompiledConfig {
    const config = compileConfig(files, kinds, env, findings, { allowWeaker });
    const added = config.hooks.filter(({ name }) => !base.hooks.some((hook) => hook.name === name));
    findings.faults.push(...reservedNameFaults(added, namesOf(own)));
    return config;
  }

  /** Of the files alone there are notices; what lies over them is checked when it is saved. */
  async function build(
    files: readonly ConfigFile[],
    config: CompiledConfig,
    number: number,
    about = options.notices,
  ): Promise<Generation> {
    const faults: ConfigFault[] = [];
    const pooled = await pool.acquire(config.hooks, faults, own);
    if (faults.length > 0) throw configError(faults);
    try {
      const hooks = [...own, ...pooled.hooks];
      return createGeneration({
        files,
        config,
        number,
        pipeline: pipelineOf(hooks),
        notices: about?.(config, hooks) ?? [],
        faultsOfChange: pooled.faultsOfChange,
        release: pooled.release,
      });
    } catch (error) {
      pooled.release();
      throw error;
    }
  }

  async function layered(base: Generation, layers: readonly ConfigFile[]): Promise<Generation> {
    const files = [...base.files, ...layers];
    const findings: Findings = { faults: [], notices: [] };
    const config = compile(files, base.config, findings);
    if (findings.faults.length > 0) throw configError(findings.faults);
    return build(files, config, base.number, () => []);
  }

  let watched: readonly string[] = [];
  let refused: readonly ConfigFault[] = [];
  const first = look();
  let { says, states } = first;
  let current = await build(first.files, first.config, 1);
  for (const notice of [...first.notices, ...current.notices])
    host.log?.warn({ ...notice }, 'a setting has another effect than it may seem');

  async function reload(): Promise<ReloadResult> {
    const { number } = current;
    try {
      const read = look();
      if (read.says === says) {
        refused = [];
        return { type: 'unchanged', generation: number };
      }
      const file = changedFile(states, read.states);
      const against = await current.faultsOfChange({ file, signal: closing.signal });
      if (against.length > 0) return tell({ type: 'refused', generation: number, faults: against });
      const made = await build(read.files, read.config, number + 1);
      const before = current;
      current = made;
      ({ says, states } = read);
      const end = before.retire().finally(() => ending.delete(end));
      ending.add(end);
      return tell({ type: 'reloaded', generation: made.number, notices: [...read.notices, ...made.notices] });
    } catch (thrown) {
      const faults = faultsOf(thrown) ?? [whole(thrown)];
      return tell({ type: 'refused', generation: number, faults });
    }
  }

  function refuseClosed(): void {
    if (closing.signal.aborted)
      throw new HooklineError('INPUT_INVALID', 'These hooks are closed; make new ones with createLiveHooks.');
  }

  function tell<C extends ConfigChange>(change: C): C {
    if (change.type === 'refused') {
      host.log?.error(
        { faults: change.faults.slice(0, MOST_FAULTS), count: change.faults.length },
        'the configuration is wrong; the last good one stays',
      );
    } else host.log?.info({ generation: change.generation }, 'the configuration was reloaded');
    refused = change.type === 'refused' ? change.faults : [];
    changes$.next(change);
    return change;
  }

  function whole(thrown: unknown): ConfigFault {
    const message = messageOf(thrown);
    return { file: options.files[0] ?? '(none)', line: 1, column: 1, path: [], message };
  }

  return {
    kinds,
    changes$: changes$.asObservable(),
    get files() {
      return current.files;
    },
    get config() {
      return current.config;
    },
    get refused() {
      return refused;
    },
    get generation() {
      return current.number;
    },
    compile: (layers, findings) => compile([...current.files, ...layers], current.config, findings),
    get watched() {
      return watched;
    },
    async lease(layers = []) {
      refuseClosed();
      const base = current;
      return layers.length > 0 ? base.layered(layers, () => layered(base, layers)) : base.lease();
    },
    async probe(layers) {
      refuseClosed();
      const made = await layered(current, layers);
      await made.retire();
    },
    reload() {
      const done = queue.then(async () => {
        refuseClosed();
        return reload();
      });
      queue = done.catch(() => undefined);
      return done;
    },
    async close() {
      closing.abort();
      await queue;
      await Promise.all([...ending, current.retire()]);
      await pool.settled();
      changes$.complete();
    },
  };
}

function changedFile(before: Look['states'], now: Look['states']): string {
  const files = [...now.keys()];
  return files.find((file) => before.get(file) !== now.get(file)) ?? files[0] ?? '(none)';
}

function namesOf(hooks: readonly Hook[]): string[] {
  return hooks.map(({ name }) => name);
}
