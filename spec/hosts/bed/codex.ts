import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCatalog } from './codex-catalog.ts';
import { reviewedHooks } from './codex-trust.ts';
import { openAiResponses } from './fake-openai.ts';
import type { Host, HostSettings } from './host.ts';

const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json'];

/** Codex CLI. It skips a hook that nobody reviewed without a word. */
export const codex: Host = {
  wire: openAiResponses,
  async configure(settings: HostSettings) {
    const { home, hooks, variant } = settings;
    const { trust = 'flag', tools = 'exec_command' } = variant;
    const byEvent: Record<string, object[]> = {};
    for (const { event, command, timeout = 40 } of hooks) {
      byEvent[event] ??= [];
      byEvent[event].push({ hooks: [{ type: 'command', command, timeout }] });
    }
    writeFileSync(join(home, 'hooks.json'), JSON.stringify({ hooks: byEvent }));
    const catalog = tools === 'exec_command' ? undefined : codexCatalog(settings, tools);
    const configuration = toml(settings, catalog);
    writeFileSync(join(home, 'config.toml'), configuration);
    if (trust === 'reviewed')
      writeFileSync(join(home, 'config.toml'), `${configuration}\n${await reviewedHooks(settings)}`);
    return trust === 'flag' ? ['--dangerously-bypass-hook-trust'] : [];
  },
  arguments: (prompt) => ['exec', ...flags, prompt],
  environment: ({ home }) => ({ CODEX_HOME: home, FAKE_KEY: 'x' }),
};

function toml({ port, variant }: HostSettings, catalog: string | undefined): string {
  const servers = Object.entries(variant.mcp ?? {}).map(
    ([name, [command, ...args]]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  );
  return `model = "${catalog ? 'tried' : 'gpt-5'}"
model_provider = "fake"
${catalog ? `model_catalog_json = ${JSON.stringify(catalog)}` : ''}
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
${servers.join('\n')}`;
}
