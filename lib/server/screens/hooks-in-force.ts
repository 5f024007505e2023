import type { z } from 'zod';
import { describeHook } from '../../config/describe-hook.ts';
import type { CompiledConfig, HookLease } from '../../config/index.ts';
import type { inForceAnswer } from '../config/config-schemas.ts';

type InForce = z.infer<typeof inForceAnswer>['hooks'][number];

/** The hooks that a run would begin with now, in running order, and those that are off. `files` is what the files alone say. */
export function hooksInForce({ pipeline, config }: HookLease, files: CompiledConfig): readonly InForce[] {
  const sourceOf = (name: string): InForce['from'] => {
    const of = (hooks: CompiledConfig['hooks']) =>
      hooks.some((hook) => name === hook.name || name.startsWith(`${hook.name}.`));
    if (of(files.hooks)) return 'files';
    return of(config.hooks) ? 'saved' : 'host';
  };
  const on = pipeline.hooks.map((hook) => ({
    ...describeHook(hook, config.hooks),
    from: sourceOf(hook.name),
  }));
  const off = config.hooks.filter(({ entry }) => entry.enabled === false);
  return [...on, ...off.map(({ name, kind }) => ({ name, enabled: false, from: sourceOf(name), type: kind.name }))];
}
