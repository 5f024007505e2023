import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { floorHooks } from './floor.ts';
import { configFiles, type Preset } from './preset.ts';

/** What the command line says of configurations. */
export interface ConfigFlags {
  readonly config: readonly string[];
  readonly preset?: Preset | undefined;
  readonly allowWeaker?: boolean;
}

/** Reads the configurations that the command line names, over the hooks that are always on. Hooks are not made. */
export function loadFlags({ config, preset, allowWeaker = false }: ConfigFlags): LoadedConfig {
  return loadConfig(configFiles({ preset, config }), { allowWeaker, ...floorHooks(preset) });
}
