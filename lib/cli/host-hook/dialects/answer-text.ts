import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostMoment } from '../judge/host-moment.ts';
import type { Dialect } from './dialect.ts';

type Answered = Omit<HostAnswer, 'stderr'>;

/** Returns an answer with a JSON object on standard output, and exit code 0. */
export function answerText(answer: JsonObject): HostAnswer {
  return { code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' };
}

/** Returns a denial that every host understands: JSON on standard output, the reason on standard error, and exit code 2. */
export function refusalText(answer: JsonObject, reason: string): HostAnswer {
  return { ...answerText(answer), code: 2, stderr: `${oneLine(reason)}\n` };
}

/** Returns the fields that only this event of Claude Code, or of a host like it, has. */
export function specificTo({ event: hookEventName }: Pick<HostMoment, 'event'>, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName, ...fields } };
}

/** Formats a text that hosts show as one line. An empty text gets a default, because some hosts continue after a denial without a reason. */
export function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ') || 'A hook denied this';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Creates the denial of events that could not be evaluated. `passed` is the answer with `failOpen`. */
export function refuseWith(
  denied: (event: JsonObject | undefined, reason: string) => Answered,
  passed: (event: JsonObject | undefined) => Answered = () => answerText({}),
): Dialect['refuse'] {
  return (event, why, failOpen) => {
    const unevaluated = 'hookline could not evaluate the event:';
    const end = failOpen
      ? 'The host continues without it (--fail-open).'
      : 'The event is denied, because nothing was evaluated.';
    const answer = failOpen ? passed(event) : denied(event, `${unevaluated} ${why}`);
    return { ...answer, stderr: `${unevaluated} ${oneLine(why)} ${end}\n` };
  };
}
