import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { callRuleSchema } from '../../permission-rules/call-rule-schema.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { askerSchema } from '../asking/asker.ts';

/** Added to the hook's own timeout. */
const SPARE_MS = 5_000;

const ruleText = z.string().superRefine((text, context) => {
  try {
    parsePermissionRule(text);
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: messageOf(thrown) });
  }
});

/** A rule as given: `run_command(npm run:*)`, or an object. */
export const ruleSchema = z.union([ruleText, callRuleSchema]);

/** Lists of rules in options and in Hookline's own files. */
export const ruleListsSchema = z.strictObject({
  allow: z.array(ruleSchema).default([]).describe('Calls that run without approval.'),
  ask: z.array(ruleSchema).default([]).describe('Calls that require approval. Takes precedence over allow.'),
  deny: z.array(ruleSchema).default([]).describe('Calls that are denied. Takes precedence over ask and allow.'),
  default: z.enum(['allow', 'ask', 'deny']).exactOptional().describe('Action if no rule matches (default: ask).'),
});

/** The options of `permission` with their defaults. */
export const permissionOptionsSchema = ruleListsSchema.extend({
  name: z.string().min(1).default('permission').describe('Name of the hook.'),
  files: z
    .array(z.string().min(1))
    .default([])
    .describe('Files with additional rules: { allow, ask, deny, default } in JSON or YAML, or settings of Claude Code.')
    .meta({ local: true }),
  alwaysFile: z
    .string()
    .min(1)
    .refine((file) => !/\.ya?ml$/i.test(file), 'must be a JSON file; add YAML files to "files"')
    .exactOptional()
    .describe('JSON file that stores an allow rule for each "always" answer. The hook also reads its rules.')
    .meta({ local: true }),
  askBy: askerSchema
    .exactOptional()
    .describe(
      'Who answers approval prompts: "terminal", "suspend" (the caller that resumes the run), "inbox" (a user of the server, while the run waits), or a function. Default: the choice of the host.',
    ),
  timeoutMs: timerMs({ spare: SPARE_MS })
    .default(300_000)
    .describe('Timeout of an approval prompt, in milliseconds; then the call is denied.'),
});

/** The options of `permission` before defaults; all are optional. */
export type PermissionOptions = z.input<typeof permissionOptionsSchema>;

/** A rule of a list, as given. */
export type Rule = z.output<typeof ruleSchema>;
/** The lists of rules from one place. */
export type RuleLists = z.output<typeof ruleListsSchema>;
