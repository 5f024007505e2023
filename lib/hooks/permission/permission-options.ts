import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { timerMs } from '../../events/values/timer-ms.ts';
import { callRuleSchema } from '../../permission-rules/call-rule.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { askerSchema } from '../asking/asker.ts';

/** The margin that the hook's own time-out gets. */
const SPARE_MS = 5_000;

const ruleText = z.string().superRefine((text, context) => {
  try {
    parsePermissionRule(text);
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: messageOf(thrown) });
  }
});

/** A rule as it is given: `run_command(npm run:*)`, or an object. */
export const ruleSchema = z.union([ruleText, callRuleSchema]);

/** Lists of rules, as options and as files of our own have them. */
export const ruleListsSchema = z.strictObject({
  allow: z.array(ruleSchema).default([]).describe('Calls that run without a question.'),
  ask: z.array(ruleSchema).default([]).describe('Calls that somebody is asked about; goes before allow.'),
  deny: z.array(ruleSchema).default([]).describe('Calls that never run; goes before ask and allow.'),
  default: z
    .enum(['allow', 'ask', 'deny'])
    .exactOptional()
    .describe('What becomes of calls that no rule speaks of. Default: ask.'),
});

/** The options of `permission` with their defaults. */
export const permissionOptionsSchema = ruleListsSchema.extend({
  name: z.string().min(1).default('permission').describe('Name of the hook.'),
  files: z
    .array(z.string().min(1))
    .default([])
    .describe('Files with more rules: { allow, ask, deny, default } in JSON or YAML, or settings of Claude Code.')
    .meta({ local: true }),
  alwaysFile: z
    .string()
    .min(1)
    .refine((file) => !/\.ya?ml$/i.test(file), 'must be a JSON file; name YAML files under "files"')
    .exactOptional()
    .describe('A JSON file that gets an allow rule when somebody answers "always". Its rules are read too.')
    .meta({ local: true }),
  askBy: askerSchema
    .exactOptional()
    .describe(
      'Who is asked: the terminal, whoever resumes the suspended run ("suspend"), whoever looks at the waiting calls of a server while the run goes on ("inbox"), or a function. Default: as the host says.',
    ),
  timeoutMs: timerMs({ spare: SPARE_MS }).default(300_000).describe('No answer within this time is a no.'),
});

/** The options of `permission` as they are given; all may be left out. */
export type PermissionOptions = z.input<typeof permissionOptionsSchema>;

/** A rule of a list, as it is given. */
export type Rule = z.output<typeof ruleSchema>;
/** The lists of rules that one place gives. */
export type RuleLists = z.output<typeof ruleListsSchema>;
