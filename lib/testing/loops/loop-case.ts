import type { CallOutcome } from '../../events/parts/call-outcome.ts';
import type { ActingOutcome } from '../../events/post-acting.ts';
import type { HookDefinition } from '../../pipeline/define/hook.ts';
import type { LoopRequest } from './loop-host.ts';

/** The expected effects of one hook decision in every host. Missing fields: the same as without the hook. */
export interface LoopCase {
  readonly hook: HookDefinition;
  readonly otherHook?: HookDefinition;
  /** Only for hosts that stream, or only for hosts that do not. */
  readonly only?: 'streamed' | 'whole';
  readonly buffer?: boolean;
  /** The first model request fails. */
  readonly modelFails?: boolean;
  /** How often the tool fails before it succeeds. Its error contains a swordfish. */
  readonly toolFails?: number;
  /** True if the run has a session and a user, which each event must contain. */
  readonly owned?: boolean;
  /** The hook fails. Its error need not be logged. */
  readonly quiet?: boolean;
  readonly outcome?: CallOutcome;
  /** The run rejects, or its stream ends, with `RunAborted`. */
  readonly aborts?: boolean;
  /** Calls that ran: the name with the `at` of the input. Default: look at x. */
  readonly ran?: readonly string[];
  readonly calls?: readonly ActingOutcome[];
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Texts that the host stores. */
  readonly keeps?: readonly string[];
  /** Texts of the last prompt. */
  readonly asks?: readonly string[];
  readonly neverAsks?: readonly string[];
  readonly prompts?: number;
  /** Content of each request, without messages. */
  readonly requests?: readonly Partial<LoopRequest>[];
  readonly waits?: boolean;
  /** The answer to the pending call, and the calls that ran then. */
  readonly answer?: { readonly approved: boolean; readonly ran: readonly string[] };
}
