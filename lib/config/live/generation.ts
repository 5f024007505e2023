import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { CompiledConfig } from '../compile-config.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import type { ConfigIssue, ConfigNotice } from '../issues/config-issue.ts';
import type { ConfigEdit } from '../kinds/hook-kind.ts';

/** The maximum number of layered pipelines kept for the next run of the same user, and of hooks that their layers may add. */
const MOST_LAYERED = 64;
const MOST_HOOKS = 200;

/** A pipeline for one run. It does not change, and its processes keep running, until it is released. */
export interface HookLease {
  readonly pipeline: Pipeline;
  /** The configuration of the run. */
  readonly config: CompiledConfig;
  /** Counts from 1 the reloads that changed something. */
  readonly generation: number;
  release(): void;
}

interface Parts {
  readonly files: readonly ConfigFile[];
  readonly config: CompiledConfig;
  readonly number: number;
  readonly pipeline: Pipeline;
  /** Notices on settings whose effect differs from the likely intent, found after the hooks were created. */
  readonly notices: readonly ConfigNotice[];
  /** Returns the objections of its hooks to a change of the files. */
  issuesOfChange(edit: ConfigEdit): Promise<readonly ConfigIssue[]>;
  release(): void;
}

/** One state of a configuration, while runs use it. */
export interface Generation extends Pick<Parts, 'files' | 'config' | 'number' | 'notices' | 'issuesOfChange'> {
  /** Whether its hooks have been released. */
  readonly gone: boolean;
  lease(): HookLease;
  /** Leases the same configuration with layers over it, created on first use. */
  layered(layers: readonly ConfigFile[], make: () => Promise<Generation>): Promise<HookLease>;
  /** Ends the generation when the last run has released it, then resolves. */
  retire(): Promise<void>;
}

export function createGeneration(parts: Parts): Generation {
  const { files, config, number, notices, pipeline, issuesOfChange } = parts;
  const layers = new Map<string, { readonly made: Promise<Generation>; readonly hooks: number }>();
  /** Layered generations that end before this one, and those created too late for its end. */
  const leaving = new Set<Promise<unknown>>();
  let users = 0;
  let retired = false;
  let gone = false;
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });

  async function finish(): Promise<void> {
    // Observers may still be reporting events.
    await pipeline.flush();
    if (users > 0 || gone) return;
    gone = true;
    parts.release();
    end();
  }

  function use(): () => void {
    let used = true;
    users += 1;
    return () => {
      if (!used) return;
      used = false;
      users -= 1;
      if (retired && users === 0) void finish();
    };
  }

  function layerFor(over: readonly ConfigFile[], make: () => Promise<Generation>): Promise<Generation> {
    const key = JSON.stringify(over.map(({ config }) => config));
    const made = (layers.get(key)?.made ?? Promise.resolve(undefined)).then((known) =>
      known && !known.gone ? known : make(),
    );
    layers.delete(key);
    const hooks = over.reduce((sum, { config }) => sum + Object.keys(config.hooks ?? {}).length, 0);
    layers.set(key, { made, hooks });
    // Another request may have replaced it in the meantime.
    made.catch(() => layers.get(key)?.made === made && layers.delete(key));
    let kept = [...layers.values()].reduce((sum, one) => sum + one.hooks, 0);
    for (const [oldest, one] of layers) {
      if (oldest === key || (layers.size <= MOST_LAYERED && kept <= MOST_HOOKS)) break;
      layers.delete(oldest);
      kept -= one.hooks;
      leave(one.made);
    }
    return made;
  }

  function leave(layered: Promise<Generation>): void {
    const left: Promise<unknown> = layered
      .then(
        (one) => one.retire(),
        () => undefined,
      )
      .finally(() => leaving.delete(left));
    leaving.add(left);
  }

  return {
    files,
    config,
    number,
    notices,
    issuesOfChange,
    get gone() {
      return gone;
    },
    lease: () => ({ pipeline, config, generation: number, release: use() }),
    async layered(over, make) {
      // The base must not end during the creation.
      const release = use();
      try {
        let made = await layerFor(over, make);
        // It may have been evicted in the meantime.
        while (made.gone) made = await layerFor(over, make);
        const lease = made.lease();
        if (retired) leave(Promise.resolve(made));
        return lease;
      } finally {
        release();
      }
    },
    retire() {
      if (retired) return ended;
      retired = true;
      for (const { made } of layers.values()) leave(made);
      if (users === 0) void finish();
      return ended.then(async () => {
        while (leaving.size > 0) await Promise.all(leaving);
      });
    },
  };
}
