import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { HostAnswer } from '../../loops/loop-run.ts';
import type { HostRuntime } from './host-langchain.ts';

/** A question about a call that an approver has suspended. */
export interface Question {
  readonly prompt: string;
  readonly by: string | undefined;
  /** The call as it was judged, which is what would run. */
  readonly call: ToolCall;
}

/** Why nobody can be asked, if so. */
export function whyUnasked({ interrupt, configurable = {} }: HostRuntime): string | undefined {
  if (!interrupt || !configurable['__pregel_checkpointer'])
    return 'the agent has no checkpointer, so nobody can be asked';
  const scratchpad = configurable['__pregel_scratchpad'] as { readonly currentTaskInput?: object } | undefined;
  const alone = scratchpad?.currentTaskInput === undefined || 'lg_tool_call' in scratchpad.currentTaskInput;
  // There all calls of a message are one step, which is run again as a whole when an answer comes.
  return alone ? undefined : 'an agent of version "v1" would run the other calls again, so nobody can be asked';
}

/**
 * Interrupts the graph with the question, in the shape that LangChain's own `humanInTheLoopMiddleware` has, and our words beside it; gives what
 * was answered where the graph goes on, past the first `earlier` answers.
 */
export function ask(
  { interrupt }: HostRuntime,
  { prompt, by, call }: Question,
  earlier: number,
): Omit<HostAnswer, 'held'> {
  const question = {
    prompt,
    ...(by !== undefined && { by }),
    call,
    actionRequests: [{ name: call.name, args: call.input, description: prompt }],
    reviewConfigs: [{ actionName: call.name, allowedDecisions: ['approve', 'edit', 'reject'] }],
  };
  for (let index = 0; index < earlier; index += 1) interrupt?.(question);
  return readAnswer(interrupt?.(question));
}

const EXPECTED =
  'the answer was not understood: give true, false, { approved, reason?, input? }, or the decisions of humanInTheLoopMiddleware';

/** An answer in our words or LangChain's; whatever else is given is a no that says so. */
function readAnswer(given: unknown): Omit<HostAnswer, 'held'> {
  if (typeof given === 'boolean') return { approved: given };
  const { approved, reason, input, decisions } = (given ?? {}) as {
    readonly [member in 'approved' | 'reason' | 'input' | 'decisions']?: unknown;
  };
  if (typeof approved === 'boolean')
    return {
      approved,
      ...(typeof reason === 'string' && { reason }),
      ...(isObject(input) && { input }),
    };
  const decision = Array.isArray(decisions) && decisions.length === 1 ? decisions[0] : undefined;
  const { type, message, editedAction } = (decision ?? {}) as {
    readonly type?: unknown;
    readonly message?: unknown;
    readonly editedAction?: { readonly args?: unknown };
  };
  if (type === 'approve') return { approved: true };
  if (type === 'edit' && isObject(editedAction?.args)) return { approved: true, input: editedAction.args };
  if (type === 'reject') return { approved: false, ...(typeof message === 'string' && { reason: message }) };
  return { approved: false, reason: EXPECTED };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
