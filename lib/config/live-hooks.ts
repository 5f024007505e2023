import { type Observable, Subject } from 'rxjs';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { createPipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/hook.ts';
import type { Pipeline, PipelineOptions } from '../pipeline/pipeline.ts';
import { type CompiledConfig, compileConfig } from './compile-config.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigFault, type ConfigNotice, configError } from './fault.ts';
import { createGeneration, type Generation, type HookLease } from './generation.ts';
import { createHookPool } from './hook-pool.ts';
import type { HookHost } from './kinds/hook-kind.ts';
import { type HookKinds, hookKinds } from './kinds/hook-kinds.ts';
import { type LoadOptions, loadConfig } from './load-config.ts';

/** Where hooks come from, and what they are given. */
export interface LiveHooksOptions extends LoadOptions {
  /** Configuration files; the later one wins, field by field. */
  readonly files: readonly string[];
  readonly host?: HookHost;
  /** Hooks that the host brings itself; no configuration takes them away. */
  readonly hooks?: readonly Hook[];
  readonly pipeline?: PipelineOptions;
}

/** Told on `changes$` after each reload that has brought something new, or was refused. */
export type ConfigChange =
  | { readonly type: 'reloaded'; readonly generation: number; readonly notices: readonly ConfigNotice[] }
  | { readonly type: 'refused'; readonly generation: number; readonly faults: readonly ConfigFault[] };

/** Hooks as files say them, changed while runs go on. */
export interface LiveHooks {
  readonly kinds: HookKinds;
  readonly files: readonly ConfigFile[];
  readonly config: CompiledConfig;
  readonly generation: number;
  /** What the files and further configurations say together. */
  compile(layers: readonly ConfigFile[], findings: Findings): CompiledConfig;
  readonly changes$: Observable<ConfigChange>;
  /** The pipeline for a run that begins now; with `layers`, further configurations over the files. Their faults are `CONFIG_INVALID`. */
  lease(layers?: readonly ConfigFile[]): Promise<HookLease>;
  /** Reads the files again. What is new serves the runs that begin from now on; where anything is wrong, nothing changes. Gives what was told. */
  reload(): Promise<ConfigChange | { readonly type: 'unchanged'; readonly generation: number }>;
  /** Ends the hooks when the last run has given its lease back. */
  close(): Promise<void>;
}

/** Reads files and makes their hooks. A fault is `CONFIG_INVALID`, which tells all of them. */
export async function createLiveHooks(options: LiveHooksOptions): Promise<LiveHooks> {
  const { host = {}, hooks: own = [], catalogue = createCatalogue(builtIns), env = process.env } = options;
  const kinds = hookKinds(catalogue);
  const pool = createHookPool(host);
  const changes$ = new Subject<ConfigChange>();
  const ended: Promise<void>[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const pipelineOf = (hooks: readonly Hook[]): Pipeline =>
    createPipeline([...own, ...hooks], { ...(host.log && { log: host.log }), ...options.pipeline });

  async function generate(number: number): Promise<{ made: Generation; notices: readonly ConfigNotice[] }> {
    const { files, config, faults, notices } = loadConfig(options.files, { catalogue, env });
    if (faults.length > 0) throw configError(faults);
    return { made: await build(files, config, number), notices };
  }

  async function build(files: readonly ConfigFile[], config: CompiledConfig, number: number): Promise<Generation> {
    const faults: ConfigFault[] = [];
    const pooled = await pool.acquire(config.hooks, config.defaults, faults);
    if (faults.length > 0) throw configError(faults);
    try {
      return createGeneration({ files, config, number, pipeline: pipelineOf(pooled.hooks), release: pooled.release });
    } catch (error) {
      pooled.release();
      throw error;
    }
  }

  async function layered(base: Generation, layers: readonly ConfigFile[]): Promise<Generation> {
    const files = [...base.files, ...layers];
    const findings: Findings = { faults: [], notices: [] };
    const config = compileConfig(files, kinds, env, findings);
    if (findings.faults.length > 0) throw configError(findings.faults);
    return build(files, config, base.number);
  }

  const first = await generate(1);
  let current = first.made;
  for (const notice of first.notices) host.log?.warn({ ...notice }, 'a setting has no effect');

  async function reload(): ReturnType<LiveHooks['reload']> {
    const { number } = current;
    try {
      const { made, notices } = await generate(number + 1);
      if (made.says === current.says) {
        made.retire();
        return { type: 'unchanged', generation: number };
      }
      const before = current;
      current = made;
      ended.push(before.retire());
      return tell({ type: 'reloaded', generation: made.number, notices });
    } catch (thrown) {
      const faults = (thrown as { cause?: { faults?: readonly ConfigFault[] } }).cause?.faults ?? [whole(thrown)];
      return tell({ type: 'refused', generation: number, faults });
    }
  }

  function tell<C extends ConfigChange>(change: C): C {
    if (change.type === 'refused') {
      host.log?.error({ faults: change.faults }, 'the configuration is wrong; the last good one stays');
    } else host.log?.info({ generation: change.generation }, 'the configuration was reloaded');
    changes$.next(change);
    return change;
  }

  function whole(thrown: unknown): ConfigFault {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
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
    get generation() {
      return current.number;
    },
    compile: (layers, findings) => compileConfig([...current.files, ...layers], kinds, env, findings),
    async lease(layers = []) {
      const base = current;
      return layers.length > 0 ? base.layered(layers, () => layered(base, layers)) : base.lease();
    },
    reload() {
      const done = queue.then(reload, reload);
      queue = done;
      return done;
    },
    async close() {
      await queue;
      await Promise.all([...ended, current.retire()]);
      await pool.settled();
      changes$.complete();
    },
  };
}
