import { z } from 'zod';
import type { PreActing } from '../../events/pre-acting.ts';
import { type ToolTable, workspaceToolTable } from '../../permission-rules/action/tool-table.ts';
import type { Verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Called when a hook returns `ask`. */
export type Confirm = (event: PreActing, reason: string, context: HookContext) => Verdict | Promise<Verdict>;

const fn = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function');

/** Options of `claudeHooks`, with their defaults. */
export const claudeHooksOptionsSchema = z.strictObject({
  name: z.string().min(1).default('claude-hooks'),
  priority: z.number().optional(),
  tools: z
    .custom<ToolTable>((value) => typeof value === 'object' && value !== null)
    .default(workspaceToolTable)
    .describe('Maps Hookline tools to the names of Claude Code.'),
  combine: z
    .enum(['sequential', 'parallel'])
    .default('sequential')
    .describe('sequential: each hook receives the changes of the previous one. parallel: as in Claude Code.'),
  onFailure: z.enum(['continue', 'block']).default('continue').describe('Default for handlers that do not set it.'),
  timeoutMs: z.number().positive().default(60_000).describe('Default for handlers that do not set it.'),
  cwd: z.string().optional().describe('Default: the working directory of the host.'),
  env: z
    .record(z.string(), z.string().meta({ secret: true }))
    .default({})
    .describe('Additional variables for commands, such as CLAUDE_PLUGIN_ROOT.'),
  permissionMode: z.enum(['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']).default('default'),
  stopCap: z
    .int()
    .nonnegative()
    .default(8)
    .describe('How often in a row Stop hooks may continue the run (0: unlimited).'),
  confirm: fn<Confirm>().optional().describe('Approver for the decision ask. Without it, ask denies the call.'),
  onDiagnostic: fn<(diagnostic: Diagnostic) => void>().optional(),
  log: z.custom<Logger>((value) => typeof (value as Logger | null)?.warn === 'function').optional(),
});

/** Options of `claudeHooks`, before defaults are applied. */
export type ClaudeHooksOptions = z.input<typeof claudeHooksOptionsSchema>;
export type ClaudeHooksSettings = z.output<typeof claudeHooksOptionsSchema>;
