import { type Observable, Subject } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { withRevision } from '../../otel/pipeline-metrics.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { type CompiledConfig, compileConfig } from '../compile-config.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import { type ConfigIssue, type ConfigNotice, configError, issuesOf, MAX_ISSUES } from '../issues/config-issue.ts';
import type { HookHost } from '../kinds/hook-kind.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import type { LoadOptions } from '../load-config.ts';
import { reservedNameIssues } from '../merge/reserved-names.ts';
import { createGeneration, type Generation, type HookLease } from './generation.ts';
import { createHookPool } from './hook-pool.ts';
import { type Look, lookAt } from './look-at.ts';

/** Options of `createLiveHooks`. */
export interface LiveHooksOptions extends LoadOptions {
  /** Configuration files. They are merged field by field, and later files take precedence. */
  readonly files: readonly string[];
  readonly host?: HookHost;
  /** Hooks of the host itself, which no configuration can remove. For kinds of the catalogue, use `floor`. */
  readonly hooks?: readonly Hook[];
  /** Returns further notices, such as settings without effect in this host. They are logged like the others. */
  readonly notices?: (files: CompiledConfig, hooks: readonly Hook[]) => readonly ConfigNotice[];
  readonly pipeline?: PipelineOptions;
}

/** Emitted on `changes$` after each reload that changed something or was rejected. */
export type ConfigChange =
  | { readonly type: 'reloaded'; readonly generation: number; readonly notices: readonly ConfigNotice[] }
  | { readonly type: 'refused'; readonly generation: number; readonly issues: readonly ConfigIssue[] };

/** The result of a reload. */
export type ReloadResult = ConfigChange | { readonly type: 'unchanged'; readonly generation: number };

/** Hooks from configuration files, which can change while runs are active. */
export interface LiveHooks {
  readonly kinds: HookKinds;
  readonly files: readonly ConfigFile[];
  readonly config: CompiledConfig;
  readonly generation: number;
  /** Returns the files merged with further configurations. */
  compile(layers: readonly ConfigFile[], findings: Findings): CompiledConfig;
  readonly changes$: Observable<ConfigChange>;
  /** The issues of the last reload. Empty if it succeeded. */
  readonly refused: readonly ConfigIssue[];
  /** The files whose changes require a reload: the configuration files, and the files that hooks are created from. */
  readonly watched: readonly string[];
  /** Returns the pipeline for a new run, with `layers` over the files. Throws `CONFIG_INVALID` if they have issues. */
  lease(layers?: readonly ConfigFile[]): Promise<HookLease>;
  /** Creates the hooks of a lease and ends them again. Throws `CONFIG_INVALID` if there are issues. */
  probe(layers: readonly ConfigFile[]): Promise<void>;
  /** Reads the files again. Changes apply to new runs. If there are issues, nothing changes. Returns the emitted change. */
  reload(): Promise<ReloadResult>;
  /** Ends the hooks when the last run has released its lease. No leases or reloads are possible afterwards. */
  close(): Promise<void>;
}

/** Reads files and creates their hooks. Throws `CONFIG_INVALID` with all issues. */
export async function createLiveHooks(options: LiveHooksOptions): Promise<LiveHooks> {
  const { host = {}, hooks: own = [], env = process.env, allowWeaker = false } = options;
  const pool = createHookPool(host);
  const changes$ = new Subject<ConfigChange>();
  const ending = new Set<Promise<void>>();
  const closing = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();

  const pipelineOf = (hooks: readonly Hook[], number: number): Pipeline =>
    withRevision(createPipeline(hooks, { ...(host.log && { log: host.log }), ...options.pipeline }), number);

  /** Returns the current state of the files. Their modules are not loaded yet. */
  const look = (): Look => valid(lookAt(options.files, options, namesOf(own)));

  function valid<L extends Pick<Look, 'issues' | 'states'>>(seen: L): L {
    watched = [...seen.states.keys()];
    if (seen.issues.length > 0) throw configError(seen.issues);
    return seen;
  }

  function compile(files: readonly ConfigFile[], base: CompiledConfig, findings: Findings): CompiledConfig {
    const config = compileConfig(files, kinds, env, findings, { allowWeaker });
    const added = config.hooks.filter(({ name }) => !base.hooks.some((hook) => hook.name === name));
    findings.issues.push(...reservedNameIssues(added, namesOf(own)));
    return config;
  }

  /** Only the files produce notices; layers are checked when they are saved. */
  async function build(
    files: readonly ConfigFile[],
    config: CompiledConfig,
    number: number,
    about = options.notices,
  ): Promise<Generation> {
    const issues: ConfigIssue[] = [];
    const pooled = await pool.acquire(config.hooks, issues, own);
    if (issues.length > 0) throw configError(issues);
    try {
      const hooks = [...own, ...pooled.hooks];
      return createGeneration({
        files,
        config,
        number,
        pipeline: pipelineOf(hooks, number),
        notices: about?.(config, hooks) ?? [],
        issuesOfChange: pooled.issuesOfChange,
        release: pooled.release,
      });
    } catch (error) {
      pooled.release();
      throw error;
    }
  }

  async function layered(base: Generation, layers: readonly ConfigFile[]): Promise<Generation> {
    const files = [...base.files, ...layers];
    const findings: Findings = { issues: [], notices: [] };
    const config = compile(files, base.config, findings);
    if (findings.issues.length > 0) throw configError(findings.issues);
    return build(files, config, base.number, () => []);
  }

  let watched: readonly string[] = [];
  let refused: readonly ConfigIssue[] = [];
  const first = valid(await look().load());
  let { seen, identity, states, kinds } = first;
  let current = await build(first.files, first.config, 1);
  for (const notice of [...first.notices, ...current.notices])
    host.log?.warn({ ...notice }, 'a setting has no effect, or an unexpected one');

  async function reload(): Promise<ReloadResult> {
    const { number } = current;
    try {
      let asked = false;
      let now = look();
      // The files may change again while the hooks decide.
      for (let allowed = seen; now.seen !== seen && now.seen !== allowed; now = look()) {
        asked = true;
        allowed = now.seen;
        const against = await objections(now);
        if (against.length > 0) return emit({ type: 'refused', generation: number, issues: against });
      }
      const read = valid(await now.load());
      if (read.identity === identity) {
        refused = [];
        return { type: 'unchanged', generation: number };
      }
      const against = asked ? [] : await objections(read);
      if (against.length > 0) return emit({ type: 'refused', generation: number, issues: against });
      const made = await build(read.files, read.config, number + 1);
      const before = current;
      current = made;
      ({ seen, identity, states, kinds } = read);
      const end = before.retire().finally(() => ending.delete(end));
      ending.add(end);
      return emit({ type: 'reloaded', generation: made.number, notices: [...read.notices, ...made.notices] });
    } catch (thrown) {
      const issues = issuesOf(thrown) ?? [whole(thrown)];
      return emit({ type: 'refused', generation: number, issues });
    }
  }

  function objections(now: Pick<Look, 'states'>): Promise<readonly ConfigIssue[]> {
    return current.issuesOfChange({ file: changedFile(states, now.states), signal: closing.signal });
  }

  function refuseClosed(): void {
    if (closing.signal.aborted)
      throw new HooklineError('INPUT_INVALID', 'These hooks are closed. Create new ones with createLiveHooks().');
  }

  function emit<C extends ConfigChange>(change: C): C {
    if (change.type === 'refused') {
      host.log?.error(
        { issues: change.issues.slice(0, MAX_ISSUES), count: change.issues.length },
        'the configuration is invalid; keeping the previous one',
      );
    } else host.log?.info({ generation: change.generation }, 'the configuration was reloaded');
    refused = change.type === 'refused' ? change.issues : [];
    changes$.next(change);
    return change;
  }

  function whole(thrown: unknown): ConfigIssue {
    const message = messageOf(thrown);
    return { file: options.files[0] ?? '(none)', line: 1, column: 1, path: [], message };
  }

  return {
    get kinds() {
      return kinds;
    },
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
