import type { Observable } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { DangerMatch } from './danger-finder.ts';

/** A call that somebody is asked about. */
export interface Question {
  readonly tool: string;
  readonly input: JsonObject;
  readonly permission: Permission;
  /** What the tool says of itself. */
  readonly description: string;
  readonly matched: DangerMatch;
  readonly run: RunInfo;
  /** The whole question as text, safe to show: control characters are visible, long arguments cut. */
  readonly prompt: string;
}

/** `true` is a yes, everything else a no; a `reason` is told to the model. */
export type Answer = boolean | { readonly approved: boolean; readonly reason: string };

/** Asks somebody. `signal` aborts when no answer is wanted any more. Giving nothing is a no, failing denies the call. */
export type AskFunction = (
  question: Question,
  context: { readonly signal: AbortSignal },
) => Answer | Promise<Answer> | Observable<Answer>;
