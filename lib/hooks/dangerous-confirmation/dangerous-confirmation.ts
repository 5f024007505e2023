import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { map } from 'rxjs';
import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { findDanger } from '../../permission-rules/danger/find-danger.ts';
import { type WordMatch, wordFinder } from '../../permission-rules/find-words.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../pipeline/define/hook.ts';
import type { Question } from '../asking/ask-function.ts';
import { askerSchema, askFunctionOf } from '../asking/asker.ts';
import { callPrompt, promptLine } from '../asking/call-prompt.ts';
import { putQuestion } from '../asking/put-question.ts';
import { verdictOfAnswer } from '../asking/verdict-of-answer.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

/** Added to the hook's own timeout. */
const SPARE_MS = 5_000;

/** The options of `dangerousConfirmation` with their defaults. */
export const dangerousConfirmationOptionsSchema = z.strictObject({
  name: z.string().min(1).default('dangerous-confirmation').describe('Name of the hook.'),
  askBy: askerSchema
    .exactOptional()
    .describe(
      'Who answers approval prompts: "terminal", "suspend" (the caller that resumes the run), "inbox" (a user of the server, while the run waits), or a function. Default: the choice of the host, else the terminal.',
    ),
  patterns: z
    .array(z.union([z.string().regex(/\S/), z.instanceof(RegExp)], 'must be a word or a regular expression'))
    .default([])
    .describe('Patterns in addition to the built-in ones. Strings match whole words, case-insensitively.'),
  permissions: z
    .array(z.enum(['write', 'external']))
    .default(['write', 'external'])
    .describe('Permissions of the tools to inspect.'),
  timeoutMs: timerMs({ spare: SPARE_MS })
    .default(300_000)
    .describe('Timeout of an approval prompt, in milliseconds; then the call is denied.'),
});

/** The options of `dangerousConfirmation` before defaults; all are optional. */
export type DangerousConfirmationOptions = z.input<typeof dangerousConfirmationOptionsSchema>;

/**
 * An approver that requires approval for dangerous write and external calls. It parses commands as a shell does, and judges SQL, code,
 * actions and patches by their effect. It does not inspect contents and messages. `patterns` match anywhere in the name and the input.
 *
 * - Parallel calls: The approver is asked about one call after the other.
 * - Sub-agents: Their calls require approval, too.
 * - Retry: A repeated call requires approval again.
 * - Suspend and resume: With `askBy: 'suspend'`, an answer is valid for exactly the call that was shown.
 * - Cost: Parses the input of each write or external call. No model request.
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
  const exists = (path: string) => existsSync(resolve(host.workspace ?? '.', path));
  return defineHook({
    name,
    description: 'Requires approval for dangerous calls.',
    priority: HookPriority.SECURITY,
    // Later than the timeout of the question, which has a better reason.
    timeoutMs: timeoutMs + 1_000,
    approve: function dangerousConfirmation(event, context) {
      const { permission, description, run } = event;
      if (!permissions.some((asked) => asked === permission)) return verdict.allow();
      const { name: tool, input } = event.toolCall;
      const matched = findDanger(tool, input, exists) ?? findPattern(tool, input);
      if (!matched) return verdict.allow();
      const facts = { tool, input, permission, description, matched, run };
      const question = { ...facts, prompt: confirmationPrompt(facts) };
      if (context.dryRun || !askFunction) return verdict.suspend(question.prompt);
      const { pattern, at } = matched;
      const because = `the call matches the dangerous pattern ${JSON.stringify(pattern)} in ${at}`;
      return putQuestion({ ask: askFunction, question, call: event.toolCall, by: name, timeoutMs, context }).pipe(
        map((asked) => verdictOfAnswer(asked, `Not run: ${because}`)),
      );
    },
  });
}

/** Formats the approval prompt as several lines. */
export function confirmationPrompt(
  question: Omit<Question, 'prompt' | 'matched'> & { readonly matched: WordMatch },
): string {
  const { pattern, at, excerpt } = question.matched;
  return callPrompt(
    question,
    `Dangerous: ${promptLine(JSON.stringify(pattern))} in ${promptLine(at)}: ${promptLine(excerpt)}`,
  );
}

/** @internal The catalogue entry of `dangerousConfirmation`. */
export const dangerousConfirmationEntry = defineCatalogueEntry({
  name: 'dangerous-confirmation',
  description: 'Requires approval before a write or external tool does something dangerous.',
  events: ['preActing'],
  optionsSchema: dangerousConfirmationOptionsSchema,
  example: { patterns: ['deploy', 'drop table'] },
  weakens: weakensUnless({ patterns: 'mayGrow', permissions: 'mayGrow' }, ['timeoutMs']),
  create: dangerousConfirmation,
});
