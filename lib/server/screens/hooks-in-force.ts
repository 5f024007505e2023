import type { z } from 'zod';
import { describeHook } from '../../config/describe-hook.ts';
import type { CompiledConfig, HookLease } from '../../config/index.ts';
import type { inForceAnswer } from '../config/config-schemas.ts';

type InForce = z.infer<typeof inForceAnswer>['hooks'][number];

/** Returns the hooks of a run that starts now, in running order, and the disabled hooks. `files` is the configuration of the files alone. */
export function hooksInForce(
  { pipeline, config }: HookLease,
  files: CompiledConfig,
  withPlaces = false,
): readonly InForce[] {
  const placeOf = (name: string): Pick<InForce, 'file' | 'line'> => {
    const hook = withPlaces ? hookOf(files.hooks, name) : undefined;
    if (!hook) return {};
    const { file, line } = hook.issue([], '');
    return { file, line };
  };
  const sourceOf = (name: string): InForce['from'] => {
    if (hookOf(files.hooks, name)) return 'files';
    return hookOf(config.hooks, name) ? 'saved' : 'host';
  };
  const on = pipeline.hooks.map((hook) => ({
    ...describeHook(hook, config.hooks),
    from: sourceOf(hook.name),
    ...placeOf(hook.name),
  }));
  const off = config.hooks.filter(({ entry }) => entry.enabled === false);
  return [
    ...on,
    ...off.map(({ name, kind }) => ({ name, enabled: false, from: sourceOf(name), type: kind.name, ...placeOf(name) })),
  ];
}

function hookOf(hooks: CompiledConfig['hooks'], name: string): CompiledConfig['hooks'][number] | undefined {
  return hooks.find((hook) => hook.name === name) ?? hooks.find((hook) => name.startsWith(`${hook.name}.`));
}
