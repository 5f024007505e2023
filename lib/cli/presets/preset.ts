import { dirname, join } from 'node:path';

export const presets = ['safe', 'observe', 'none'] as const;

/** A named set of hooks. `none` also disables the hooks that are always on. */
export type Preset = (typeof presets)[number];

/** Notice about `none`, because it disables approval prompts and the audit log. */
export const UNGUARDED = 'preset none: audit-log and dangerous-confirmation are off';

/** Returns the configurations in order. The preset is first, so that later ones cannot weaken it. */
export function configFiles({
  preset,
  config,
}: {
  readonly preset?: Preset | undefined;
  readonly config: readonly string[];
}): readonly string[] {
  return preset === undefined || preset === 'none' ? config : [presetFile(preset), ...config];
}

function presetFile(preset: Preset): string {
  return join(dirname(require.resolve('hookline/package.json')), 'lib/cli/presets', `${preset}.jsonc`);
}
