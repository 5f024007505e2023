import { map } from 'rxjs';
import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { findDanger } from '../../permission-rules/danger/find-danger.ts';
import { type WordMatch, wordFinder } from '../../permission-rules/find-words.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../pipeline/define/hook.ts';
import type { Question } from '../asking/ask-function.ts';
import { askedVerdict } from '../asking/asked-verdict.ts';
import { askerSchema, askFunctionOf } from '../asking/asker.ts';
import { callPrompt, promptLine } from '../asking/call-prompt.ts';
import { putQuestion } from '../asking/put-question.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

/** The margin that the hook's own time-out gets. */
const SPARE_MS = 5_000;

/** The options of `dangerousConfirmation` with their defaults. */
export const dangerousConfirmationOptionsSchema = z.strictObject({
  name: z.string().min(1).default('dangerous-confirmation').describe('Name of the hook.'),
  askBy: askerSchema
    .exactOptional()
    .describe(
      'Who is asked: the terminal, whoever resumes the suspended run ("suspend"), whoever looks at the waiting calls of a server while the run goes on ("inbox"), or a function. Default: as the host says, else the terminal.',
    ),
  patterns: z
    .array(z.union([z.string().regex(/\S/), z.instanceof(RegExp)], 'must be a word or a regular expression'))
    .default([])
    .describe('More patterns, beside the built-in ones. Strings match as whole words, whatever their case.'),
  permissions: z
    .array(z.enum(['write', 'external']))
    .default(['write', 'external'])
    .describe('Which tools are looked at.'),
  timeoutMs: timerMs({ spare: SPARE_MS }).default(300_000).describe('No answer within this time is a no.'),
});

/** The options of `dangerousConfirmation` as they are given; all may be left out. */
export type DangerousConfirmationOptions = z.input<typeof dangerousConfirmationOptionsSchema>;

/**
 * An approver: a write or external call that does something dangerous runs only after a yes. Commands are judged as a shell reads them, and SQL,
 * code and actions by what they do; contents and messages are not looked at. `patterns` match anywhere in the name and the input.
 *
 * Calls at once: one question after the other. Sub-agents: their calls are asked about too. Retry: a call that is made again is asked about
 * again. Suspend and resume: with `askBy: 'suspend'` the answer counts for the very call that was shown.
 */
export function dangerousConfirmation(options: DangerousConfirmationOptions = {}, host: HookHost = {}): Hook {
  const { name, askBy, patterns, permissions, timeoutMs } = parseHookOptions(
    'dangerous-confirmation',
    dangerousConfirmationOptionsSchema,
    options,
  );
  const asker = askBy ?? host.ask ?? 'terminal';
  const askFunction = asker === 'suspend' ? undefined : askFunctionOf(asker, host, name);
  const findPattern = wordFinder(patterns);
  return defineHook({
    name,
    description: 'Asks before a dangerous call runs.',
    priority: HookPriority.SECURITY,
    // Later than the question's own time-out, which gives the better reason.
    timeoutMs: timeoutMs + 1_000,
    approve: function dangerousConfirmation(event, context) {
      const { permission, description, run } = event;
      if (!permissions.some((asked) => asked === permission)) return verdict.allow();
      const { name: tool, input } = event.toolCall;
      const matched = findDanger(tool, input) ?? findPattern(tool, input);
      if (!matched) return verdict.allow();
      const facts = { tool, input, permission, description, matched, run };
      const question = { ...facts, prompt: confirmationPrompt(facts) };
      if (context.dryRun || !askFunction) return verdict.suspend(question.prompt);
      const { pattern, at } = matched;
      const because = `the call matches the dangerous pattern ${JSON.stringify(pattern)} in ${at}`;
      return putQuestion({ ask: askFunction, question, call: event.toolCall, by: name, timeoutMs, context }).pipe(
        map((asked) => askedVerdict(asked, `Not run: ${because}`)),
      );
    },
  });
}

/** The question as text of several lines. */
export function confirmationPrompt(
  question: Omit<Question, 'prompt' | 'matched'> & { readonly matched: WordMatch },
): string {
  const { pattern, at, excerpt } = question.matched;
  return callPrompt(
    question,
    `Dangerous: ${promptLine(JSON.stringify(pattern))} in ${promptLine(at)}: ${promptLine(excerpt)}`,
  );
}

/** The catalogue entry of `dangerousConfirmation`. */
export const dangerousConfirmationEntry = defineCatalogueEntry({
  name: 'dangerous-confirmation',
  description: 'Asks before a write or external tool does something dangerous.',
  events: ['preActing'],
  optionsSchema: dangerousConfirmationOptionsSchema,
  example: { patterns: ['deploy', 'drop table'] },
  weakens: weakensUnless({ patterns: 'mayGrow', permissions: 'mayGrow', timeoutMs: 'free' }),
  create: dangerousConfirmation,
});
