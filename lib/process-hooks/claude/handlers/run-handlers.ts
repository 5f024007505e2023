import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { LONGEST_WAIT_MS } from '../../../events/values/timer-ms.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { Diagnose } from '../diagnostic.ts';
import type { Outcome } from '../output/output.ts';
import { type Printed, readOutput } from '../output/read-output.ts';
import { checkScript } from '../settings/check-script.ts';
import { type Entry, FAILS_OPEN } from '../settings/compile-settings.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import type { Handler } from '../settings/settings.ts';
import { type NotEnded, runCommand } from './run-command.ts';
import { runHttp } from './run-http.ts';
import { runPrompt } from './run-prompt.ts';

export interface Background {
  /** Aborts when all of them must end. */
  readonly signal: AbortSignal;
  add(work: Promise<void>): void;
}

/** One event with its input, for its handlers. */
export interface Moment {
  readonly event: ClaudeEvent;
  /** The value that matchers are compared with. */
  readonly field: string;
  readonly input: JsonObject;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Sends a question to a model, if there is a run. */
  readonly ask?: HookContext['ask'] | undefined;
  /** Runs handlers in the background. Without it, only the signal ends them. */
  readonly background?: Background;
  /** Called with the output of a handler, or with the reason why it did not end by itself. */
  readonly onPrinted?: (printed: Printed | NotEnded) => void;
}

/** Messages of interpreters about a script that cannot be opened. Some interpreters exit with 2 then. */
const GONE = /^(\S*python[\d.]*: can't open file|\S*sh: \d+: cannot open|\S*sh: 0: cannot open)/;

/** Timeout of SessionEnd hooks without their own. */
export const SESSION_END_MS = 1_500;
/** Timeout of a model request. */
const PROMPT_MS = 30_000;

/**
 * Runs all matching handlers, including those after a blocking one, because some only write a log. In sequence, each receives the input from the
 * previous one. In parallel, all receive the same input. Outcomes are in the order of the settings.
 */
export async function runHandlers(
  entries: readonly Entry[],
  moment: Moment,
  settings: ClaudeHooksSettings,
  diagnose: Diagnose,
): Promise<Outcome[]> {
  const matching = entries.filter(({ matches }) => matches(moment.field));
  if (settings.combine === 'parallel') {
    const applying = matching.filter(({ applies }) => applies(moment.input));
    return Promise.all(applying.map(({ handler }) => runOne(handler, moment, settings, diagnose)));
  }
  const outcomes: Outcome[] = [];
  let { input } = moment;
  for (const { handler, applies } of matching) {
    if (!applies(input)) continue;
    const outcome = await runOne(handler, { ...moment, input }, settings, diagnose);
    outcomes.push(outcome);
    if (outcome.updatedInput) input = { ...input, tool_input: outcome.updatedInput as JsonObject };
    if (outcome.updatedOutput) input = { ...input, tool_response: outcome.updatedOutput.value as JsonObject };
  }
  return outcomes;
}

function usual(handler: Handler, event: ClaudeEvent, { timeoutMs }: ClaudeHooksSettings): number {
  if (handler.type === 'prompt') return Math.min(PROMPT_MS, timeoutMs);
  return event === 'SessionEnd' ? Math.min(SESSION_END_MS, timeoutMs) : timeoutMs;
}

/** Returns the display name of a handler, without the password of a URL. */
function nameOf(handler: Handler): string {
  if (handler.type === 'command') return handler.command;
  return handler.type === 'prompt' ? handler.prompt.slice(0, 100) : handler.url.replace(/\/\/[^/@]*@/, '//');
}

export async function runOne(
  handler: Handler,
  moment: Moment,
  settings: ClaudeHooksSettings,
  diagnose: Diagnose,
): Promise<Outcome> {
  const { event, cwd, env, background } = moment;
  const async = handler.type === 'command' && (handler.async === true || handler.asyncRewake === true);
  // The signal of the event ends with the hook's handler, which does not wait for asynchronous ones.
  const signal = async && background ? background.signal : moment.signal;
  const hook = nameOf(handler);
  const wanted = handler.timeout === undefined ? usual(handler, event, settings) : handler.timeout * 1_000;
  // An integer, because 1.005 seconds are 1004.9999999999999 ms, which AbortSignal.timeout rejects.
  const timeoutMs = Math.min(Math.ceil(wanted), LONGEST_WAIT_MS);
  const input = JSON.stringify(moment.input);
  const policy = handler.onFailure ?? settings.onFailure;
  const work = (): Promise<Printed | NotEnded> => {
    if (handler.type === 'command') return runCommand(handler, input, { cwd, env, timeoutMs, signal });
    if (handler.type === 'http') return runHttp(handler, input, { timeoutMs, signal });
    return runPrompt(handler, input, { event, ask: moment.ask, timeoutMs, signal });
  };
  if (async) {
    const report = (failure: string) =>
      diagnose({ code: 'handler-failed', event, hook, message: `${failure} (async).` });
    const ended = work().then(
      (printed) => ('failure' in printed ? report(printed.failure) : undefined),
      (thrown: unknown) => report(`could not be run: ${messageOf(thrown)}`),
    );
    background?.add(ended);
    return {};
  }
  const missing = handler.type === 'command' ? checkScript(handler, cwd, env) : undefined;
  const printed = await work();
  moment.onPrinted?.(printed);
  if ('failure' in printed) return failed(printed.failure);
  if (missing !== undefined && printed.code !== 0 && printed.code !== 2 && printed.stdout.trim() === '')
    return failed(`exited with ${printed.code}, for ${missing}`);
  // A guess is only reported. A guard may exit with 2 although its command seems to contain no script.
  const gone = missing ?? (GONE.test(printed.stderr) ? printed.stderr.trim().split('\n')[0] : undefined);
  if (printed.code === 2 && gone !== undefined)
    diagnose({
      code: 'maybe-missing',
      event,
      hook,
      message: `exited with 2, which blocks; that may be its interpreter rather than its script: ${gone}.`,
    });
  const outcome = readOutput(printed, { event, hook, diagnose });
  if (outcome.invalid !== undefined && printed.code !== 2 && policy === 'block')
    return failed(outcome.invalid.replace(/\.$/, ''));
  const undecided = printed.code !== 0 && printed.code !== 2 && Object.keys(outcome).length === 0;
  return undecided ? failed(`exited with ${printed.code}`) : outcome;

  function failed(why: string): Outcome {
    const blocks = policy === 'block' && !FAILS_OPEN.has(event);
    const message = `${why}; ${blocks ? 'onFailure is block, so that counts as exit 2' : 'onFailure is continue, so the action goes on'}.`;
    diagnose({ code: 'handler-failed', event, hook, message });
    return blocks ? { block: `Hook "${hook}" ${why}.` } : {};
  }
}
