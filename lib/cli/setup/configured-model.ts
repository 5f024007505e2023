import type { NativeConfig } from '../../config/index.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { chooseModel } from './choose-model.ts';

/** Returns the model of the command line, else of the configuration, else the offline model. */
export function configuredModel(
  flags: { readonly model?: string; readonly baseUrl?: string },
  configured: NativeConfig['model'],
): Promise<Model> {
  if (flags.model !== undefined || configured === undefined)
    return chooseModel(flags.model ?? 'offline', flags.baseUrl);
  if (typeof configured === 'string') return chooseModel(configured, flags.baseUrl);
  return chooseModel(configured.use, flags.baseUrl ?? configured.baseUrl, configured.apiKey);
}
