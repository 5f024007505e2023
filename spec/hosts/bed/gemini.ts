import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiContent } from './fake-gemini.ts';
import type { Host, HostSettings } from './host.ts';

const MODEL = 'gemini-2.5-flash';

/** Gemini CLI. Times of its hooks are milliseconds. */
export const gemini: Host = {
  wire: geminiContent,
  configure({ home, hooks, variant }: HostSettings) {
    const byEvent: Record<string, object[]> = {};
    for (const [index, { event, command, timeout = 40 }] of hooks.entries()) {
      byEvent[event] ??= [];
      byEvent[event].push({ hooks: [{ type: 'command', command, name: `hook-${index}`, timeout: timeout * 1_000 }] });
    }
    const mcpServers = Object.fromEntries(
      Object.entries(variant.mcp ?? {}).map(([name, [command, ...args]]) => [name, { command, args, trust: true }]),
    );
    mkdirSync(join(home, '.gemini'), { recursive: true });
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      mcpServers,
      hooks: byEvent,
    };
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    return [];
  },
  arguments: (prompt) => ['-m', MODEL, '--skip-trust', '--yolo', '-o', 'json', '-p', prompt],
  environment: ({ home, port }) => ({
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'x',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
  }),
};
