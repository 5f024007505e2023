import type { HookLease } from '../live/generation.ts';
import { type ExplainRequest, type Explanation, explainCall } from './explain-call.ts';

/** Explains a call with configured hooks. Hooks that run programs are called only with `live`, and the programs then really run. */
export async function explainConfigured(
  { pipeline, config }: Pick<HookLease, 'pipeline' | 'config'>,
  { live = false, ...request }: ExplainRequest & { readonly live?: boolean },
): Promise<Explanation> {
  const programs = new Set(
    config.hooks.flatMap(({ name, kind }) => (kind.name === 'process' || kind.name === 'command' ? [name] : [])),
  );
  const asked = pipeline.hooks.filter(({ name }) => live || !programs.has(name));
  const explained = await explainCall(asked, request);
  const off = config.hooks.flatMap(({ name, entry }) =>
    entry.enabled === false ? [{ hook: name, why: 'is disabled' }] : [],
  );
  const unasked = pipeline.hooks.flatMap((hook) =>
    asked.includes(hook) ? [] : [{ hook: hook.name, why: 'runs a program, which was not started' }],
  );
  return { ...explained, notApplied: [...explained.notApplied, ...unasked, ...off] };
}
