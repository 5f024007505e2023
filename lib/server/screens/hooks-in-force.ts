import type { z } from 'zod';
import type { CompiledConfig, HookLease } from '../../config/index.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
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
  const on = pipeline.hooks.map((hook) => onHook(hook, config, sourceOf(hook.name)));
  const off = config.hooks.filter(({ entry }) => entry.enabled === false);
  return [...on, ...off.map(({ name, kind }) => ({ name, enabled: false, from: sourceOf(name), type: kind.name }))];
}

function onHook(
  { name, priority, description, match }: Hook,
  { hooks }: CompiledConfig,
  from: InForce['from'],
): InForce {
  const compiled = hooks.find((hook) => hook.name === name) ?? hooks.find((hook) => name.startsWith(`${hook.name}.`));
  return {
    name,
    enabled: true,
    from,
    ...(compiled && { type: compiled.kind.name }),
    priority,
    ...(description !== undefined && { description }),
    ...(match && { match: shownMatch(match) }),
  };
}

function shownMatch(match: NonNullable<Hook['match']>): NonNullable<InForce['match']> {
  return JSON.parse(JSON.stringify(match, (_, value) => (value instanceof RegExp ? String(value) : value)));
}
