import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSettings } from './host.ts';

interface Model {
  slug: string;
  tool_mode?: string;
}

/** Writes a catalog with one of the bundled models under the name `tried`: in code mode, or with tools that it calls directly. */
export function codexCatalog(
  { home, program: [program = ''] }: HostSettings,
  tools: 'code-mode' | 'apply_patch',
): string {
  const env = { ...process.env, HOME: home, CODEX_HOME: home };
  const listed = execFileSync(program, ['debug', 'models'], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { models } = JSON.parse(listed) as { models: Model[] };
  const model = models.find(({ tool_mode: mode }) => mode === 'code_mode_only');
  if (!model) throw new Error(`codex debug models lists no model in code mode: ${models.map(({ slug }) => slug)}`);
  const { tool_mode: mode, ...direct } = { ...model, slug: 'tried' };
  const path = join(home, 'models.json');
  writeFileSync(path, JSON.stringify({ models: [tools === 'code-mode' ? { ...direct, tool_mode: mode } : direct] }));
  return path;
}
