import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';

/** Returns an answer with a JSON object on standard output, and exit code 0. */
export function answerText(answer: JsonObject): HostAnswer {
  return { code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' };
}

/** Returns a denial that every host understands: JSON on standard output, the reason on standard error, and exit code 2. */
export function refusalText(answer: JsonObject, reason: string): HostAnswer {
  return { ...answerText(answer), code: 2, stderr: `${oneLine(reason)}\n` };
}

/** Formats a text that hosts show as one line. An empty text gets a default, because some hosts continue after a denial without a reason. */
export function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ') || 'A hook denied this';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Returns the message of an event that could not be evaluated. */
export function unevaluated(why: string, failOpen: boolean): string {
  const end = failOpen
    ? 'The host continues without it (--fail-open).'
    : 'The event is denied, because nothing was evaluated.';
  return `hookline could not evaluate the event: ${oneLine(why)} ${end}\n`;
}
