import type { Command } from 'commander';
import { type Explanation, explainConfigured } from '../../config/index.ts';
import { HooklineError } from '../../errors.ts';
import { type Permission, permissionSchema } from '../../events/parts/tool-description.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import { workspaceTools } from '../../tools/index.ts';
import { choice } from '../options/choice.ts';
import { hookOptions } from '../options/hook-options.ts';
import { positiveInteger } from '../options/whole-number.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { shortJson } from '../terminal/short-json.ts';
import { printJson } from '../view/print-json.ts';

interface Flags extends HookFlags {
  readonly tool: string;
  readonly input: string;
  readonly permission?: Permission;
  readonly agent?: string;
  readonly user?: string;
  readonly session?: string;
  readonly iteration?: number;
  readonly live?: boolean;
  readonly json?: boolean;
}

const HELP = `
A dry run: shows the decision of each hook about a tool call. The tool is a workspace tool or a tool of a hook;
any other tool needs --permission. The tool does not run, and no prompt is shown: if an approver would ask, the action
is "ask". Hooks that run programs (process, command) are skipped unless --live is set.
The exit code is 2 if the call fails, for example if the input does not match the schema of the tool; otherwise it is 0.

With --json: { decision: { action, by?, reason? }, toolCall, steps: [{ hook, priority, stage, effect, ms }], later, notApplied }.

Examples:
  hookline explain --tool run_command --input '{"command":"rm -rf build"}'
  hookline explain --tool write_file --input '{"path":"a","content":"b"}' --config hookline.yaml --json
`;

/** `hookline explain`: shows how the hooks would decide a call. */
export function explain(command: Command): void {
  command
    .requiredOption('--tool <name>', 'tool that is called')
    .option('--input <json>', 'input of the call, a JSON object', '{}');
  hookOptions(command)
    .option(
      '--permission <permission>',
      `permission of a tool outside the workspace tools (${permissionSchema.options.join(', ')})`,
      choice(permissionSchema.options),
    )
    .option('--agent <name>', 'agent that makes the call')
    .option('--user <id>', 'user ID of the run')
    .option('--session <id>', 'session ID of the run')
    .option('--iteration <n>', 'number of the model step (default: 1)', positiveInteger)
    .option('--live', 'also start the programs of process and command hooks')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(
      async ({
        tool,
        input,
        permission,
        agent,
        user,
        session,
        iteration,
        live = false,
        json = false,
        ...flags
      }: Flags) => {
        const call = readInput(input);
        const { workspace } = (await loadFlags(flags)).config.settings;
        const configured = await configuredHooks(flags, { workspace });
        const lease = await configured.lease();
        const explained = await explainConfigured(lease, {
          tool,
          input: call,
          permission,
          agent: agent ?? lease.config.settings.agent?.name,
          user,
          session,
          iteration,
          tools: workspaceTools({ root: workspace ?? '.' }),
          live,
        });
        lease.release();
        await configured.close();
        if (json) printJson(explained);
        else process.stdout.write(harmlessText(toText(explained)));
        if (explained.decision.action === 'fail') process.exitCode = 2;
      },
    );
}

function readInput(text: string): JsonObject {
  try {
    return jsonObjectSchema.parse(JSON.parse(text));
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? thrown.message : 'it is not an object';
    throw new HooklineError('INPUT_INVALID', `--input ${JSON.stringify(text)} is not a JSON object: ${why}.`);
  }
}

function toText({ decision, toolCall, steps, later, notApplied }: Explanation): string {
  const { action, by, reason } = decision;
  const names = [...steps, ...later, ...notApplied].map(({ hook }) => hook.length);
  const width = Math.max(0, ...names) + 2;
  const part = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines]);
  return [
    `${action}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `: ${reason}`}`,
    `call: ${toolCall.name} ${shortJson(toolCall.input, 300)}`,
    ...part(
      'in order',
      steps.map(({ hook, stage, effect, paths, decision: decided, reason: why, priority }) => {
        const what = [decided, paths?.join(', '), why].filter((one) => one !== undefined).join(' ');
        return `  ${hook.padEnd(width)}${String(priority).padStart(7)}  ${stage.padEnd(8)} ${effect} ${what}`.trimEnd();
      }),
    ),
    ...part(
      'once it runs',
      later.map(({ hook, stages }) => `  ${hook.padEnd(width)}${stages.join(', ')}`),
    ),
    ...part(
      'not applied',
      notApplied
        .filter(({ hook }) => !later.some((one) => one.hook === hook))
        .map(({ hook, why }) => `  ${hook.padEnd(width)}${why}`),
    ),
    '',
  ].join('\n');
}
