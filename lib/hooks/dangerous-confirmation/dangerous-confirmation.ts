import {
  defaultIfEmpty,
  defer,
  finalize,
  from,
  isObservable,
  map,
  type Observable,
  of,
  take,
  tap,
  timeout,
} from 'rxjs';
import { z } from 'zod';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { type Verdict, verdict } from '../../pipeline/define/verdict.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { boundJson } from '../text/bound-json.ts';
import { cutText } from '../text/cut-text.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Answer, AskFunction, Question } from './ask-function.ts';
import { askTerminal } from './ask-terminal.ts';
import { dangerFinder, dangerousWords } from './danger-finder.ts';

/** Timers cannot wait longer; minus the margin that the hook's own time-out gets. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1 - 5_000;

/** The options of `dangerousConfirmation` with their defaults. */
export const dangerousConfirmationOptionsSchema = z.strictObject({
  name: z.string().min(1).default('dangerous-confirmation').describe('Name of the hook.'),
  ask: z
    .union(
      [z.enum(['terminal', 'suspend']), z.custom<AskFunction>((value) => typeof value === 'function')],
      'must be "terminal", "suspend" or a function',
    )
    .default('terminal')
    .describe('Who is asked: the terminal, whoever resumes the suspended run, or a function.'),
  patterns: z
    .array(z.union([z.string().regex(/\S/), z.instanceof(RegExp)], 'must be a word or a regular expression'))
    .default([])
    .describe('More patterns, beside the built-in ones. Strings match as whole words, whatever their case.'),
  permissions: z
    .array(z.enum(['write', 'external']))
    .default(['write', 'external'])
    .describe('Which tools are looked at.'),
  timeoutMs: z.number().positive().max(MAX_TIMEOUT_MS).default(300_000).describe('No answer within this time is a no.'),
});

/** The options of `dangerousConfirmation` as they are given; all may be left out. */
export type DangerousConfirmationOptions = z.input<typeof dangerousConfirmationOptionsSchema>;

/** An approver: a write or external call whose name or input holds a dangerous word runs only after a yes. */
export function dangerousConfirmation(options: DangerousConfirmationOptions = {}): Hook {
  const { name, ask, patterns, permissions, timeoutMs } = parseHookOptions(
    'dangerous-confirmation',
    dangerousConfirmationOptionsSchema,
    options,
  );
  const findDanger = dangerFinder([...dangerousWords, ...patterns]);
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
      const matched = findDanger(tool, input);
      if (!matched) return verdict.allow();
      const facts = { tool, input, permission, description, matched, run };
      const question = { ...facts, prompt: confirmationPrompt(facts) };
      if (context.dryRun || ask === 'suspend') return verdict.suspend(question.prompt);
      return putQuestion(ask === 'terminal' ? askTerminal : ask, question, timeoutMs, context);
    },
  });
}

function putQuestion(
  ask: AskFunction,
  question: Question,
  timeoutMs: number,
  context: HookContext,
): Observable<Verdict> {
  const { pattern, at } = question.matched;
  const because = `the call matches the dangerous pattern ${JSON.stringify(pattern)} in ${at}`;
  return defer(() => {
    const unanswered = new AbortController();
    let answered = false;
    return observableOf(ask(question, { signal: AbortSignal.any([context.signal, unanswered.signal]) })).pipe(
      take(1),
      defaultIfEmpty(false),
      map((answer) => {
        if (answer === true || (typeof answer === 'object' && answer?.approved === true)) return verdict.allow();
        const why = (typeof answer === 'object' && answer?.reason) || 'the user declined';
        return verdict.deny(`Not run: ${because}, and ${why}.`);
      }),
      tap(() => {
        answered = true;
      }),
      timeout({
        first: timeoutMs,
        scheduler: context.scheduler,
        with: () => of(verdict.deny(`Not run: ${because}, and the user did not answer within ${timeoutMs / 1_000} s.`)),
      }),
      // Whoever asks withdraws the question then, and only then.
      finalize(() => answered || unanswered.abort()),
    );
  });
}

function observableOf(given: ReturnType<AskFunction>): Observable<Answer> {
  const later = isObservable(given) || (typeof given === 'object' && given !== null && 'then' in given);
  return later ? from(given) : of(given);
}

const BOUNDS = { perString: 1_000, total: 4_000 };
const line = (text: string) => cutText(visibleText(text), 300);

/** The question as text of several lines. Nothing that a model wrote can begin a line of its own or move the cursor. */
export function confirmationPrompt(question: Omit<Question, 'prompt'>): string {
  const { tool, input, permission, description, matched, run } = question;
  const args = JSON.stringify(boundJson(input, BOUNDS), null, 2).split('\n').map(visibleText);
  return [
    `Agent ${line(run.agent)} wants to call ${line(tool)} (${permission}).`,
    ...(description.trim() === '' ? [] : [`  The tool: ${line(description.trim())}`]),
    `  Dangerous: ${line(JSON.stringify(matched.pattern))} in ${line(matched.at)}: ${line(matched.excerpt)}`,
    `  Arguments: ${args.join('\n  ')}`,
    'May it run?',
  ].join('\n');
}
