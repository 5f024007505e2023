import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../temp-folder.ts';
import type { BenchResult } from '../result.ts';
import { medians } from './medians.ts';

const main = join(__dirname, '../../../dist/cli/main.js');
const RULES = 'hooks:\n  permission: { type: permission, options: { allow: ["run_command(ls:*)"] } }\n';

/** What each call of a tool waits for in a coding agent: a process from its beginning to its end, with and without a daemon that judges. */
export function hostHookBench(): readonly BenchResult[] {
  if (!existsSync(main)) throw new Error('Hooks of other hosts are measured on the built package. Run: npm run build');
  const cwd = tempFolder('bench-host-hook');
  const runtime = tempFolder('run');
  writeFileSync(join(cwd, 'hookline.yaml'), RULES);
  const tool = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } };
  const input = JSON.stringify({ session_id: 's1', cwd, hook_event_name: 'PreToolUse', ...tool });
  const env = { ...process.env, XDG_RUNTIME_DIR: runtime, XDG_STATE_HOME: tempFolder('state') };
  const options = { cwd, env, input };
  // It ends itself soon behind the bench.
  const hook = [main, 'hook', '--as', 'claude', '--config', 'hookline.yaml', '--daemon', '--idle', '20'];
  const isServed = () => readdirSync(runtime).some((folder) => readdirSync(join(runtime, folder)).length > 0);
  while (!isServed()) spawnSync(process.execPath, hook, options);
  // The first call of it loads the hooks.
  spawnSync(process.execPath, hook, options);
  const alone = [main, 'hook', '--as', 'codex', '--preset', 'safe'];
  // The preset asks, and this host has no prompt.
  const ms = medians({ node: ['-e', '0'], hook, alone }, options, [0, 2]);
  const row = (name: string, value: number, most: number): BenchResult => ({ name, unit: 'x', value, most });
  return [
    row('hookline hook --daemon, over node -e 0', ms['hook']! / ms['node']!, 1.5),
    row('hookline hook --preset safe without a daemon, over node -e 0', ms['alone']! / ms['node']!, 6),
  ];
}
