import { z } from 'zod';

const tokens = z.number().nonnegative();

/** Token counts of a model. */
const usageFields = z.strictObject({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: tokens.exactOptional(),
  reasoningTokens: tokens.exactOptional(),
});

/** Token usage of a model request. */
export type Usage = { readonly [K in keyof z.infer<typeof usageFields>]: z.infer<typeof usageFields>[K] };

/** Schema of a `Usage`. */
export const usageSchema: z.ZodType<Usage> = usageFields;

/** Returns true if the schema accepts the value. Faster than the schema. */
export function isUsage(value: Usage | undefined): boolean {
  if (value?.inputTokens === undefined || value.outputTokens === undefined) return false;
  return Object.entries(value).every(
    ([name, count]) => Object.hasOwn(usageFields.shape, name) && Number.isFinite(count) && count >= 0,
  );
}

/** Adds two usages. A missing one counts as zero. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0);
  const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}
