import type { Usage } from '../../../events/parts/usage.ts';

type Members = { readonly [member: string]: unknown } | null | undefined;

/** A usage of any version (flat numbers in v2, nested ones since) in tokens; `undefined` when the provider counted nothing. */
export function toUsage(usage: unknown): Usage | undefined {
  const flat = usage as Members;
  const input = flat?.['inputTokens'] as Members;
  const output = flat?.['outputTokens'] as Members;
  const inputTokens = count(input) ?? count(input?.['total']);
  const outputTokens = count(output) ?? count(output?.['total']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cachedInputTokens = count(flat?.['cachedInputTokens']) ?? count(input?.['cacheRead']);
  const reasoningTokens = count(flat?.['reasoningTokens']) ?? count(output?.['reasoning']);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
