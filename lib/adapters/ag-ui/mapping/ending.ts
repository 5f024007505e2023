import { pendingCalls } from '../../../agent/suspend/snapshot.ts';
import { shownCall } from '../../../agent/suspend/waiting-call.ts';
import type { Usage } from '../../../events/parts/usage.ts';
import type { PostCall } from '../../../events/post-call.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import type { AgUiInterrupt, AgUiOutcome, AgUiUsage } from '../ag-ui-event.ts';
import type { WaitingCall } from './mapping-options.ts';

/** The maximum number of characters shown of a call's input in a prompt. */
const SHOWN_INPUT = 2_000;

/** A pending call by its id on the wire, and the run it belongs to. */
export type ShownCall = WaitingCall & { readonly subagentRunId?: string };

/** Returns the outcome of a run, in the format of AG-UI. */
export function outcomeOf({ outcome }: PostCall, waiting: readonly ShownCall[]): AgUiOutcome {
  return outcome === 'aborted' || outcome === 'cancelled' ? { type: 'cancelled' } : pendingOutcome(waiting);
}

/** Returns the outcome for these pending calls. Without one, it is `success`. */
export function pendingOutcome(waiting: readonly ShownCall[]): AgUiOutcome {
  const asked = waiting.filter(({ client }) => !client);
  if (asked.length > 0) return { type: 'interrupt', interrupts: asked.map(interruptOf) };
  if (waiting.length > 0) return { type: 'success', pendingToolCallIds: waiting.map(({ toolCallId }) => toolCallId) };
  return { type: 'success' };
}

/** Describes the evaluated call. Text of the model about it is left out. */
function interruptOf(call: ShownCall): AgUiInterrupt {
  const { id, tool, input, agent, prompt, by, asks, hash, expiresAt, toolCallId, subagentRunId } = call;
  const shown = JSON.stringify(input);
  const cut = shown.length > SHOWN_INPUT ? `${shown.slice(0, SHOWN_INPUT)}..` : shown;
  return {
    id,
    reason: 'tool_call',
    toolCallId,
    message: `${prompt ?? 'May this call run?'}\n${tool} ${cut}`,
    responseSchema: {
      type: 'object',
      properties: {
        approved: { type: 'boolean' },
        reason: { type: 'string', description: 'Reason for the agent.' },
        editedArgs: { type: 'object', description: 'Input that replaces the one that was shown.', default: input },
      },
      required: ['approved'],
    },
    ...(expiresAt !== undefined && { expiresAt }),
    metadata: {
      hooks: withoutUndefined({ tool, input, agent, by, asks, hash, subagentRunId }),
    },
  };
}

/** Used if no store keeps pending calls. A call is named by the key that `agent.resume` accepts. */
export function callsOfSnapshot({ snapshot }: PostCall): readonly WaitingCall[] {
  if (!snapshot) return [];
  return pendingCalls(snapshot).map((call) => ({ id: call.key, ...shownCall(call) }));
}

export function usageOf(usage: Usage | undefined): { readonly usage?: readonly AgUiUsage[] } {
  if (!usage) return {};
  const totalTokens = usage.inputTokens + usage.outputTokens;
  return { usage: [{ ...usage, totalTokens }] };
}
