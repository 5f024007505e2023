import type { z } from 'zod';
import { describeHook } from '../../config/describe-hook.ts';
import type { CompiledConfig, HookLease } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { callRuleSchema } from '../../permission-rules/call-rule-schema.ts';
import type { inForceAnswer } from '../config/config-schemas.ts';

type InForce = z.infer<typeof inForceAnswer>['hooks'][number];

/** Returns the hooks of a run that starts now, in running order, and the disabled hooks. `files` is the configuration of the files alone. */
export function hooksInForce(
  { pipeline, config }: HookLease,
  files: CompiledConfig,
  withPlaces = false,
): readonly InForce[] {
  const placeOf = (name: string): Pick<InForce, 'file' | 'line' | 'rules'> => {
    const hook = withPlaces ? hookOf(files.hooks, name) : undefined;
    if (!hook) return {};
    const { file, line } = hook.issue([], '');
    const rules = rulesIn(hook.entry.options as JsonObject | undefined).map(({ path, text }) => {
      const at = hook.issue(path, '');
      return { text, file: at.file, line: at.line };
    });
    return { file, line, ...(rules.length > 0 && { rules }) };
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

/** Returns the permission rules of options. Other texts may contain secrets. */
function rulesIn(
  options: JsonObject = {},
): readonly { readonly path: readonly PropertyKey[]; readonly text: string }[] {
  return ['deny', 'ask', 'allow'].flatMap((list) => {
    const rules = options[list];
    if (!Array.isArray(rules)) return [];
    return rules.map((rule, at) => ({ path: ['options', list, at], text: textOf(rule) }));
  });
}

/** Returns a rule as decisions name it: an object has its defaults. */
function textOf(rule: JsonValue): string {
  return typeof rule === 'string' ? rule : JSON.stringify(callRuleSchema.safeParse(rule).data ?? rule);
}

function hookOf(hooks: CompiledConfig['hooks'], name: string): CompiledConfig['hooks'][number] | undefined {
  return hooks.find((hook) => hook.name === name) ?? hooks.find((hook) => name.startsWith(`${hook.name}.`));
}
