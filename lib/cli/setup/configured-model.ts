import { aiSdkModel } from '../../adapters/ai-sdk/ai-sdk-model.ts';
import { offlineModel } from '../../adapters/offline-model.ts';
import type { NativeConfig } from '../../config/index.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { readScript } from '../terminal/read-script.ts';

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

const kinds = ['offline', 'script', 'openai-compatible'];

/**
 * Returns the model of `--model`: offline, script:<file> or openai-compatible:<model>. Anything else is `INPUT_INVALID`. The default of `apiKey` is
 * HOOKLINE_API_KEY.
 */
async function chooseModel(name: string, baseUrl: string | undefined, apiKey?: string): Promise<Model> {
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

const PEER = '@ai-sdk/openai-compatible';

/** Creates a model for an OpenAI-compatible API. The key comes from HOOKLINE_API_KEY. The provider is an optional peer dependency. */
function openAiCompatible(
  modelId: string,
  baseUrl: string | undefined,
  apiKey = process.env['HOOKLINE_API_KEY'],
): Model {
  if (!baseUrl || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    const given = baseUrl === undefined ? '' : `, not ${JSON.stringify(baseUrl)}`;
    throw new HooklineError(
      'INPUT_INVALID',
      `--model openai-compatible:${modelId} requires --base-url <url>, such as http://localhost:11434/v1${given}.`,
    );
  }
  const provider = loadPeer().createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey && { apiKey }),
  });
  return aiSdkModel(provider.chatModel(modelId), { models: (id) => provider.chatModel(id) });
}

/** Resolved from this package only, so that a workspace cannot provide its own. */
function loadPeer(): typeof import('@ai-sdk/openai-compatible') {
  try {
    require.resolve(PEER);
  } catch (cause) {
    const message = `--model openai-compatible needs the package ${PEER}, which is not installed. Run: npm install ${PEER}`;
    throw new HooklineError('INPUT_INVALID', message, { cause });
  }
  return require(PEER);
}
