import { dirname, join } from 'node:path';
import { Option } from 'commander';
import { choice } from '../options/choice.ts';

const presets = ['safe', 'observe', 'none'] as const;

/** A named set of hooks. `none` takes away even those that are always on otherwise. */
export type Preset = (typeof presets)[number];

/** What is said of `none`, since nobody is asked and nothing is recorded then. */
export const UNGUARDED = 'preset none: audit-log and dangerous-confirmation are off';

/** `--preset`, of every command that takes configurations. */
export function presetOption(): Option {
  return new Option('--preset <name>', 'hooks to begin with: safe, observe, or none at all').argParser(choice(presets));
}

/** The configurations in their order: that of the preset comes first, so that later ones cannot weaken it. */
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
  return join(dirname(require.resolve('hookline/package.json')), 'lib/cli/presets', `${preset}.yaml`);
}
