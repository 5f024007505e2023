import { askedOf } from '../../events/decisions/ask.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { HostAnswer } from '../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../loops/pending/pending-call-record.ts';
import { readAnswer } from '../../loops/pending/read-answer.ts';
import type { HostRuntime } from './host-langchain.ts';

/** Returns why no approval is possible, or `undefined`. */
export function whyNotAsked({ interrupt, configurable = {} }: HostRuntime): string | undefined {
  if (!interrupt || !configurable['__pregel_checkpointer'])
    return 'the agent has no checkpointer, so it cannot show approval prompts';
  const scratchpad = configurable['__pregel_scratchpad'] as { readonly currentTaskInput?: object } | undefined;
  const alone = scratchpad?.currentTaskInput === undefined || 'lg_tool_call' in scratchpad.currentTaskInput;
  // There all calls of a message are one step, which is run again as a whole when an answer comes.
  return alone
    ? undefined
    : 'an agent of version "v1" would run the other calls again, so it cannot show approval prompts';
}

/**
 * Interrupts the graph with the approval prompt. It has the shape of LangChain's `humanInTheLoopMiddleware`, and Hookline's fields. Returns the
 * answer when the graph resumes. The first `earlier` answers are skipped.
 */
export function ask(
  { interrupt }: HostRuntime,
  suspended: Pick<PendingCallRecord['call'], 'by' | 'prompt' | 'asks' | 'judged'>,
  earlier: number,
): Omit<HostAnswer, 'pending'> {
  const { judged: call, prompt = 'May it run?' } = suspended;
  const question = {
    ...askedOf({ ...suspended, prompt }),
    call,
    actionRequests: [{ name: call.name, args: call.input, description: prompt }],
    reviewConfigs: [{ actionName: call.name, allowedDecisions: ['approve', 'edit', 'reject'] }],
  };
  for (let index = 0; index < earlier; index += 1) interrupt?.(question);
  const given = interrupt?.(question);
  return readAnswer(given) ?? readDecision(given);
}

const EXPECTED =
  'the answer is invalid: use true, false, { approved, reason?, input? }, or the decisions of humanInTheLoopMiddleware';

/** Reads an answer in LangChain's format. Any other value denies the call, with a reason that lists the formats. */
function readDecision(given: unknown): Omit<HostAnswer, 'pending'> {
  const { decisions } = (given ?? {}) as { readonly decisions?: unknown };
  const decision = Array.isArray(decisions) && decisions.length === 1 ? decisions[0] : undefined;
  const { type, message, editedAction } = (decision ?? {}) as {
    readonly type?: unknown;
    readonly message?: unknown;
    readonly editedAction?: { readonly args?: JsonValue };
  };
  if (type === 'approve') return { approved: true };
  if (type === 'edit' && isObject(editedAction?.args)) return { approved: true, input: editedAction.args };
  if (type === 'reject') return { approved: false, ...(typeof message === 'string' && { reason: message }) };
  return { approved: false, reason: EXPECTED };
}
