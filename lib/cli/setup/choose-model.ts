import { offlineModel } from '../../adapters/offline-model.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { readScript } from '../terminal/read-script.ts';
import { openAiCompatible } from './open-ai-compatible.ts';

const kinds = ['offline', 'script', 'openai-compatible'];

/**
 * Returns the model of `--model`: offline, script:<file> or openai-compatible:<model>. Anything else is `INPUT_INVALID`. The default of `apiKey` is
 * HOOKLINE_API_KEY.
 */
export async function chooseModel(name: string, baseUrl: string | undefined, apiKey?: string): Promise<Model> {
  const [, kind = name, rest] = /^([^:]*):(.*)$/s.exec(name) ?? [];
  if (baseUrl !== undefined && kind !== 'openai-compatible') {
    throw new HooklineError('INPUT_INVALID', `--base-url requires --model openai-compatible:<model>, got ${name}.`);
  }
  if (name === 'offline') return offlineModel();
  if (kind === 'script' && rest) return readScript(rest);
  if (kind === 'openai-compatible' && rest) return openAiCompatible(rest, baseUrl, apiKey);
  const near = nearestName(kind, kinds);
  const help = near === undefined ? '' : ` Did you mean ${near === 'offline' ? near : `${near}:…`}?`;
  throw new HooklineError(
    'INPUT_INVALID',
    `--model ${JSON.stringify(name)}: it must be offline, script:<file> or openai-compatible:<model>.${help}`,
  );
}
