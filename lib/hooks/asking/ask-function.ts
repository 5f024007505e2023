import type { Observable } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { WordMatch } from '../../permission-rules/find-words.ts';

/** How long a yes holds beside the call itself: in this session, or from now on. */
export type Remember = 'session' | 'always';

/** A call that somebody is asked about. */
export interface Question {
  readonly tool: string;
  readonly input: JsonObject;
  readonly permission: Permission;
  /** What the tool says of itself. */
  readonly description: string;
  /** What the call does that cannot be undone, or the pattern that matched, if that is why the hook asks. */
  readonly matched?: WordMatch;
  /** The rule, where one is why somebody is asked. */
  readonly rule?: string;
  /** What a yes may hold for beside the call itself; nothing: it cannot be remembered. */
  readonly remembers?: readonly Remember[];
  /** The allow rule that "always" adds, where it is offered. */
  readonly always?: string;
  readonly run: RunInfo;
  /** The whole question as text, safe to show: control characters are visible, long arguments cut. */
  readonly prompt: string;
}

/**
 * `true` is a yes, everything else a no; a `reason` is told to the model. With `input`, a yes is to the call with these arguments: it goes through
 * all hooks and approvers again, and runs only if they leave it as it is. `remember` counts only if the question offers it, and not with `input`. `by`
 * (who has answered) and `at` (when, ISO 8601) stand in a note on the event.
 */
export type Answer =
  | boolean
  | {
      readonly approved: boolean;
      readonly reason?: string;
      readonly input?: JsonObject;
      readonly remember?: Remember;
      readonly by?: string;
      readonly at?: string;
    };

/** What comes with a question. */
export interface Asking {
  /** Aborts when no answer is wanted any more. */
  readonly signal: AbortSignal;
  /** The call that runs after a yes. */
  readonly call: ToolCall;
  /** The hook that asks. */
  readonly by: string;
  /** No answer within so many milliseconds is a no. */
  readonly timeoutMs: number;
}

/** Asks somebody. The first value of an Observable is the answer. Giving nothing is a no, failing denies the call. */
export type AskFunction = (question: Question, asking: Asking) => Answer | Promise<Answer> | Observable<Answer>;
