import type { CompiledConfig } from '../../config/index.ts';

/** Hooks that are there unless the files say themselves how: kinds, and the names that they have then. */
export const DEFAULT_HOOKS = ['audit-log', 'dangerous-confirmation'];

/** Of these the ones that are there beside a configuration. */
export function defaultHooks({ hooks }: Pick<CompiledConfig, 'hooks'>): readonly string[] {
  return DEFAULT_HOOKS.filter((name) => !hooks.some(({ kind }) => kind.name === name));
}
