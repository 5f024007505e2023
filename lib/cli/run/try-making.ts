import { configError } from '../../config/index.ts';
import { type ConfigIssue, issuesOf } from '../../config/issues/config-issue.ts';
import { createHookPool } from '../../config/live/hook-pool.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { HooklineError } from '../../errors.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { type ConfigFlags, loadFlags } from '../presets/load-flags.ts';
import { lookOnly } from '../setup/look-only.ts';

/** Result of creating hooks. */
interface Trial {
  readonly issues: readonly ConfigIssue[];
  readonly hooks: readonly Hook[];
}

/** Loads the configurations like a run, including modules. Issues throw `CONFIG_INVALID`. */
export async function soundConfig(flags: ConfigFlags): Promise<LoadedConfig> {
  const loaded = await loadFlags(flags);
  const issues = loaded.issues.length > 0 ? loaded.issues : (await tryMaking(loaded)).issues;
  if (issues.length > 0) throw configError(issues);
  return loaded;
}

/** Creates hooks and ends them again. Modules are loaded, and files are only checked. Returns the issues and the hooks. */
export async function tryMaking({ config }: LoadedConfig): Promise<Trial> {
  const pool = createHookPool(lookOnly);
  const issues: ConfigIssue[] = [];
  const { hooks, release } = await pool.acquire(config.hooks, issues);
  try {
    if (issues.length === 0) createPipeline(hooks);
    return { issues, hooks };
  } catch (thrown) {
    const first = config.hooks[0];
    if (!(thrown instanceof HooklineError) || !first) throw issuesOf(thrown) ?? thrown;
    return { issues: [first.issue([], thrown.message)], hooks };
  } finally {
    release();
    await pool.settled();
  }
}
