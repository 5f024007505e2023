import type { ActingOutcome } from '../../events/post-acting.ts';
import type { CallOutcome } from '../../events/post-call.ts';
import type { HookDefinition } from '../../pipeline/define/hook.ts';

/** What one decision of a hook has to come to, whatever the host. What is left out is as without the hook. */
export interface LoopCase {
  readonly hook: HookDefinition;
  /** Only where the host streams, or does not. */
  readonly only?: 'streamed' | 'whole';
  readonly outcome?: CallOutcome;
  /** The run rejects, or its stream ends, with `RunAborted`. */
  readonly aborts?: boolean;
  /** What ran, by name, with the `at` of its input. Default: look at x. */
  readonly ran?: readonly string[];
  readonly calls?: readonly ActingOutcome[];
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Texts of the last prompt. */
  readonly asks?: readonly string[];
  readonly neverAsks?: readonly string[];
  readonly prompts?: number;
  readonly waits?: boolean;
  /** The answer to the call that waits, and what has run then. */
  readonly answer?: { readonly approved: boolean; readonly ran: readonly string[] };
}
