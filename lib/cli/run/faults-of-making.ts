import { type ConfigFault, faultsOf } from '../../config/faults/fault.ts';
import { configError } from '../../config/index.ts';
import { createHookPool } from '../../config/live/hook-pool.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { HooklineError } from '../../errors.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { type ConfigFlags, loadFlags } from '../presets/load-flags.ts';
import { lookOnly } from '../setup/look-only.ts';

/** What came of making hooks. */
interface Tried {
  readonly faults: readonly ConfigFault[];
  readonly hooks: readonly Hook[];
}

/** The configurations as a run would load them, modules and all. One with faults is `CONFIG_INVALID`. */
export async function soundConfig(flags: ConfigFlags): Promise<LoadedConfig> {
  const loaded = loadFlags(flags);
  const faults = loaded.faults.length > 0 ? loaded.faults : (await tryMaking(loaded)).faults;
  if (faults.length > 0) throw configError(faults);
  return loaded;
}

/** Makes hooks and ends them again, modules loaded and files only looked at: what is wrong with them then, and the hooks. */
export async function tryMaking({ config }: LoadedConfig): Promise<Tried> {
  const pool = createHookPool(lookOnly);
  const faults: ConfigFault[] = [];
  const { hooks, release } = await pool.acquire(config.hooks, faults);
  try {
    if (faults.length === 0) createPipeline(hooks);
    return { faults, hooks };
  } catch (thrown) {
    const first = config.hooks[0];
    if (!(thrown instanceof HooklineError) || !first) throw faultsOf(thrown) ?? thrown;
    return { faults: [first.fault([], thrown.message)], hooks };
  } finally {
    release();
    await pool.settled();
  }
}
