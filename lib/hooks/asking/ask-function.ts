import type { Observable } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { WordMatch } from '../../permission-rules/find-words.ts';

/** The scope of a grant: this session, or always. */
export type Remember = 'session' | 'always';

/** A call that requires approval. */
export interface Question {
  readonly tool: string;
  readonly input: JsonObject;
  readonly permission: Permission;
  /** The tool's own description. */
  readonly description: string;
  /** The irreversible effect of the call, or the matched pattern, if that is the reason for the prompt. */
  readonly matched?: WordMatch;
  /** The rule that requires approval, if any. */
  readonly rule?: string;
  /** The grants that an approval may include. Absent: none. */
  readonly remembers?: readonly Remember[];
  /** The allow rule that "always" adds, if offered. */
  readonly always?: string;
  readonly run: RunInfo;
  /** The run belongs to another process, so this one knows neither its workspace nor its configuration. */
  readonly elsewhere?: true;
  /** The complete approval prompt, safe to display: control characters are visible, long arguments are cut. */
  readonly prompt: string;
}

/**
 * `true` approves; any other value denies. The model receives `reason`. With `input`, the approval is for the call with these arguments. The edited
 * call passes all hooks and approvers again, and runs only if they leave it unchanged. `remember` counts only if the question offers it, and not with
 * `input`. A note on the event records `by` (the approver), `at` (the time, ISO 8601) and `reason`.
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

/** The context of a question. */
export interface Asking {
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** The call that runs after approval. */
  readonly call: ToolCall;
  /** The name of the hook. */
  readonly by: string;
  /** Milliseconds. At the timeout the call is denied. */
  readonly timeoutMs: number;
}

/** Asks a person for approval. The first value of an Observable is the answer. An empty result or an error denies the call. */
export type AskFunction = (question: Question, asking: Asking) => Answer | Promise<Answer> | Observable<Answer>;
