import { type LoadedConfig, loadConfigAndKinds } from '../../config/load-config.ts';
import { floorHooks } from './floor.ts';
import { configFiles, type Preset } from './preset.ts';

/** Options for configurations. */
export interface ConfigFlags {
  readonly config: readonly string[];
  readonly preset?: Preset | undefined;
  readonly allowWeaker?: boolean;
}

/** Loads the configurations of the command line, over the hooks that are always on. It does not create hooks. */
export async function loadFlags({ config, preset, allowWeaker = false }: ConfigFlags): Promise<LoadedConfig> {
  return loadConfigAndKinds(configFiles({ preset, config }), { allowWeaker, ...floorHooks(preset) });
}
