import type { ActingOutcome } from '../../events/post-acting.ts';
import type { CallOutcome } from '../../events/post-call.ts';
import type { HookDefinition } from '../../pipeline/define/hook.ts';
import type { LoopRequest } from './loop-host.ts';

/** What one decision of a hook has to come to, whatever the host. What is left out is as without the hook. */
export interface LoopCase {
  readonly hook: HookDefinition;
  /** A second hook. */
  readonly beside?: HookDefinition;
  /** Only where the host streams, or does not. */
  readonly only?: 'streamed' | 'whole';
  readonly buffer?: boolean;
  /** The first request to the model fails. */
  readonly modelFails?: boolean;
  /** How often the tool fails before it does what it is asked; its error tells of a swordfish. */
  readonly toolFails?: number;
  /** Whether the run is of a session and a user, which each event has to name. */
  readonly owned?: boolean;
  /** The hook fails, which nobody needs to read. */
  readonly quiet?: boolean;
  readonly outcome?: CallOutcome;
  /** The run rejects, or its stream ends, with `RunAborted`. */
  readonly aborts?: boolean;
  /** What ran, by name, with the `at` of its input. Default: look at x. */
  readonly ran?: readonly string[];
  readonly calls?: readonly ActingOutcome[];
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** What the host keeps has these texts. */
  readonly keeps?: readonly string[];
  /** Texts of the last prompt. */
  readonly asks?: readonly string[];
  readonly neverAsks?: readonly string[];
  readonly prompts?: number;
  /** What each request has to hold beside its messages. */
  readonly requests?: readonly Partial<LoopRequest>[];
  readonly waits?: boolean;
  /** The answer to the call that waits, and what has run then. */
  readonly answer?: { readonly approved: boolean; readonly ran: readonly string[] };
}
