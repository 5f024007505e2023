import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { names } from '../name-options.ts';
import { type JudgeFunction, judgedSchema } from './judge-function.ts';

/** The options of `judge` with their defaults. */
export const judgeOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('judge').describe('Name of the hook.'),
    of: z
      .array(judgedSchema)
      .min(1, 'must contain at least one of prompt, toolResult and answer')
      .describe('What to judge: user prompts, tool results or answers of the model.'),
    kind: z
      .enum(['injection', 'moderation', 'quality', 'custom'])
      .default('custom')
      .describe('Kind of check. custom uses only criterion.'),
    criterion: z
      .string()
      .regex(/\S/, 'must not be empty')
      .exactOptional()
      .describe('Rule for the model, in words. With a kind other than custom, it is added to the built-in rule.'),
    model: z.string().min(1).exactOptional().describe('Model that judges (default: the model of the run).'),
    judge: z
      .custom<JudgeFunction>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('Function that judges instead of a model. Only in code.'),
    action: z
      .enum(['block', 'flag', 'rewrite', 'retry'])
      .default('block')
      .describe(
        'Action for content that fails. block: withhold a result, or end the run. flag: add a note. rewrite: use the text of the judge. retry: send the model request again.',
      ),
    attempts: z
      .int()
      .positive()
      .max(8)
      .default(3)
      .describe('With retry: number of answers that are judged before the run ends.'),
    minScore: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('Minimum score that passes, if the judge returns a score from 0 to 1.'),
    tools: names.exactOptional().describe('Tools whose results are judged; * and ? are wildcards (default: all).'),
    sentences: z
      .int()
      .nonnegative()
      .default(200)
      .describe(
        'Minimum number of characters between two judgements of a stream. A judgement starts at the end of a sentence.',
      ),
    timeoutMs: timerMs().default(30_000).describe('Timeout of a judgement, in milliseconds.'),
  })
  .superRefine(({ of, action, kind, criterion, judge, model, tools }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (action === 'retry' && of.some((one) => one !== 'answer')) issue('action', 'retry requires of: [answer]');
    if (judge === undefined && kind === 'custom' && criterion === undefined)
      issue('criterion', 'is required for kind custom, unless judge is a function');
    if (judge !== undefined && (model !== undefined || criterion !== undefined))
      issue('judge', 'cannot be combined with model or criterion');
    if (tools !== undefined && !of.includes('toolResult')) issue('tools', 'requires of: [toolResult]');
  });

/** The options of `judge` before defaults. */
export type JudgeOptions = z.input<typeof judgeOptionsSchema>;
/** The options with their defaults. */
export type JudgeSettings = z.output<typeof judgeOptionsSchema>;
