import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ProviderData } from '../language-model.ts';

/** The metadata of a part as the `providerOptions` that send it back; no member when there is none. */
export function toProviderOptions(metadata: JsonObject | undefined): { providerOptions?: ProviderData } {
  return metadata ? { providerOptions: metadata } : {};
}
