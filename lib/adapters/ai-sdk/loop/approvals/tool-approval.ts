import type { HostAi } from '../host-ai.ts';
import type { HostCall } from '../host-call.ts';
import type { HookedTools } from '../tools/hooked-tools.ts';
import { type ApprovalRequest, type ApprovalStatus, ownApproval } from './own-approval.ts';

/** Returns the `toolApproval` of version 7. It combines the user's own policy with the hooks, and the stricter decision wins. */
export function toolApproval(ai: HostAi, call: HostCall, tools: HookedTools, given: unknown) {
  const { judge, forget, has } = tools;
  // After an error here, the SDK ends a stream without a callback.
  return (request: ApprovalRequest): Promise<ApprovalStatus> =>
    decide(request).catch(async (thrown: unknown) => {
      await call.end(thrown);
      throw thrown;
    });

  async function decide(request: ApprovalRequest): Promise<ApprovalStatus> {
    const own = await ownApproval(ai, request, given);
    const { toolCallId: id, toolName: name, input, providerExecuted } = request.toolCall;
    if (!has(name) || providerExecuted === true) return own;
    const options = { toolCallId: id, messages: request.messages ?? [] };
    if (own.type === 'denied') {
      // Hooks see the denied call. Their approvers do not prompt for it.
      call.decline(id, own.reason ?? 'denied by toolApproval');
      await (await judge(name, input, options)).execute();
      forget(id);
      return own;
    }
    // A pending call is evaluated with its answer when it is executed.
    if (call.answerOf(id)) return { type: 'user-approval' };
    const judged = await judge(name, input, options);
    if (judged.state === 'suspended') {
      const reasons = [judged.pending?.call.prompt, own.type === 'user-approval' ? own.reason : undefined];
      const reason = reasons.filter((one) => one !== undefined).join('\n');
      return { type: 'user-approval', ...(reason !== '' && { reason }) };
    }
    const ended = judged.state === 'over' ? await judged.execute() : undefined;
    if (ended?.outcome !== 'denied') return own;
    // The call will not run.
    forget(id);
    return { type: 'denied', reason: ended.result.content };
  }
}
