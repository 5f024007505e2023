import type { CompiledConfig } from '../../config/index.ts';
import type { Preset } from '../presets/preset.ts';

/** Hooks that are there unless the files say themselves how: kinds, and the names that they have then. */
export const DEFAULT_HOOKS = ['audit-log', 'dangerous-confirmation'];

/** Of these the ones that are there beside a configuration. */
export function defaultHooks({ hooks }: Pick<CompiledConfig, 'hooks'>, preset?: Preset): readonly string[] {
  if (preset === 'none') return [];
  return DEFAULT_HOOKS.filter((name) => !hooks.some(({ kind }) => kind.name === name));
}
