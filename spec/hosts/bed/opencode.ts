import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatCompletions } from './fake-chat-completions.ts';
import type { Host, HostSettings } from './host.ts';

/** opencode. It has no hook commands: a plugin file in `.opencode/plugins/` of the work folder is its hook. */
export const opencode: Host = {
  wire: chatCompletions,
  configure({ work, port, variant }: HostSettings) {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x' },
      models: { main: {}, 'gpt-5': {}, small: {} },
    };
    const mcp = Object.fromEntries(
      Object.entries(variant.mcp ?? {}).map(([name, command]) => [name, { type: 'local', command, enabled: true }]),
    );
    const configuration = {
      model: 'fake/main',
      small_model: 'fake/small',
      share: 'disabled',
      permission: { '*': 'allow' },
      provider: { fake: provider },
      mcp,
      ...variant.configuration,
    };
    writeFileSync(join(work, 'opencode.json'), JSON.stringify(configuration));
    return [];
  },
  arguments: (prompt) => ['run', '--format', 'json', prompt],
  environment: ({ port }) => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // It tries to install the types of its plugin interface, and continues without them.
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: '0',
  }),
};
