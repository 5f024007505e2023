import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ProviderData } from '../language-model.ts';

/** Returns the metadata of a part as `providerOptions`. The field is missing if there is no metadata. */
export function toProviderOptions(metadata: JsonObject | undefined): { providerOptions?: ProviderData } {
  return metadata ? { providerOptions: metadata } : {};
}
