import type { Usage } from '../../../events/parts/usage.ts';

type Fields = { readonly [field: string]: unknown } | null | undefined;

/** Converts the usage of any version (flat in v2, nested in later versions) to tokens. Returns `undefined` if the provider counted nothing. */
export function toUsage(usage: unknown): Usage | undefined {
  const flat = usage as Fields;
  const input = flat?.['inputTokens'] as Fields;
  const output = flat?.['outputTokens'] as Fields;
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
