import { aiSdkModel } from '../../adapters/ai-sdk/ai-sdk-model.ts';
import { HooklineError } from '../../errors.ts';
import type { Model } from '../../pipeline/define/model.ts';

const PEER = '@ai-sdk/openai-compatible';

/** Creates a model for an OpenAI-compatible API. The key comes from HOOKLINE_API_KEY. The provider is an optional peer dependency. */
export function openAiCompatible(
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
