import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { type JudgeFunction, judgedSchema } from './judge-function.ts';

/** The options of `judge` with their defaults. */
export const judgeOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('judge').describe('Name of the hook.'),
    of: z
      .array(judgedSchema)
      .min(1, 'needs at least one of prompt, toolResult and answer')
      .describe('What is judged: what the user says, what tools give, what the model answers.'),
    kind: z
      .enum(['injection', 'moderation', 'quality', 'custom'])
      .default('custom')
      .describe('What the model is asked to look for; custom: what criterion says.'),
    criterion: z
      .string()
      .regex(/\S/, 'must not be empty')
      .exactOptional()
      .describe(
        'What passes and what does not, in words for the model. With another kind than custom it is added to that.',
      ),
    model: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The name of the model that judges. Default: the model of the run.'),
    judge: z
      .custom<JudgeFunction>((value) => typeof value === 'function', 'must be a function')
      .exactOptional()
      .describe('A function that judges in place of a model. Only in code.'),
    action: z
      .enum(['block', 'flag', 'rewrite', 'retry'])
      .default('block')
      .describe(
        'What becomes of what does not pass. block: a result is withheld, anything else ends the run. flag: a note. rewrite: the judge gives another text. retry: the model answers again.',
      ),
    attempts: z
      .int()
      .positive()
      .max(8)
      .default(3)
      .describe('With retry: how many answers are judged before the run ends.'),
    minScore: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('Where the judge gives a score from 0 to 1: what passes has at least this.'),
    tools: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe('Of toolResult: names of tools; * and ? are wildcards. Default: all.'),
    sentences: z
      .int()
      .nonnegative()
      .default(200)
      .describe('Streams are judged at the ends of sentences, after at least so many characters.'),
    timeoutMs: timerMs().default(30_000).describe('How long one judgement may take.'),
  })
  .superRefine(({ of, action, kind, criterion, judge, model, tools }, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (action === 'retry' && of.some((one) => one !== 'answer')) fault('action', 'retry is for answers: of: [answer]');
    if (judge === undefined && kind === 'custom' && criterion === undefined)
      fault('criterion', 'says what passes; give it, another kind, or a judge function');
    if (judge !== undefined && (model !== undefined || criterion !== undefined))
      fault('judge', 'takes the place of a model; leave out model and criterion');
    if (tools !== undefined && !of.includes('toolResult')) fault('tools', 'has an effect with of: [toolResult] only');
  });

/** The options of `judge` as they are given. */
export type JudgeOptions = z.input<typeof judgeOptionsSchema>;
/** The options with their defaults. */
export type JudgeSettings = z.output<typeof judgeOptionsSchema>;
