import { messageOf } from '../../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../../errors.ts';
import type { HostAi, HostMessage, HostTools } from '../host-ai.ts';

/** The approval request of version 7 for a call. */
export interface ApprovalRequest {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
    readonly providerExecuted?: boolean;
  };
  readonly tools?: HostTools;
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  readonly runtimeContext?: unknown;
  readonly messages?: readonly HostMessage[];
}

/** The approval status of a call, in the format of version 7. */
export interface ApprovalStatus {
  readonly type: 'not-applicable' | 'approved' | 'denied' | 'user-approval';
  readonly reason?: string;
}

type ApprovalResult = ApprovalStatus | ApprovalStatus['type'] | undefined;
type ForAll = (request: ApprovalRequest) => ApprovalResult | PromiseLike<ApprovalResult>;
type ForOne = (input: unknown, options: object) => ApprovalResult | PromiseLike<ApprovalResult>;
type ToolApproval = ForAll | Readonly<Record<string, ApprovalResult | ForOne>> | undefined;

/**
 * Returns the result of the user's own policy: `toolApproval`, or the tool's `needsApproval` if the policy does not cover the tool. Both receive the
 * arguments that the SDK passes.
 */
export async function ownApproval(ai: HostAi, request: ApprovalRequest, given: unknown): Promise<ApprovalStatus> {
  const policy = given as ToolApproval;
  if (typeof policy === 'function') return statusOf(await policy(request));
  const { toolCall, tools, messages, runtimeContext } = request;
  const { toolCallId, toolName, input } = toolCall;
  const configured = ownOf(policy, toolName);
  if (typeof configured === 'function') {
    const toolContext = await contextOf(ai, request);
    return statusOf(await configured(input, { toolCallId, messages, toolContext, runtimeContext }));
  }
  if (configured !== undefined && configured !== null) return statusOf(configured);
  const needs = ownOf(tools, toolName)?.needsApproval;
  const asks =
    typeof needs === 'function'
      ? await needs(input, { toolCallId, ...(messages && { messages }), context: await contextOf(ai, request) })
      : needs;
  return { type: asks ? 'user-approval' : 'not-applicable' };
}

function statusOf(status: ApprovalResult): ApprovalStatus {
  if (status === undefined) return { type: 'not-applicable' };
  return typeof status === 'string' ? { type: status } : status;
}

async function contextOf(
  ai: HostAi,
  { toolCall: { toolName }, tools, toolsContext }: ApprovalRequest,
): Promise<unknown> {
  const context = ownOf(toolsContext, toolName);
  const contextSchema = ownOf(tools, toolName)?.contextSchema;
  if (contextSchema === undefined) return context;
  const validated = await ai.asSchema(contextSchema as never).validate?.(context);
  if (validated?.success === false) throw invalid(toolName, validated.error);
  return validated ? validated.value : context;
}

/** Tool names come from messages, so `constructor` must not match an inherited field. */
function ownOf<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

function invalid(tool: string, cause: unknown): HooklineError {
  const why = `toolsContext does not match the contextSchema of tool "${tool}": ${messageOf(cause)}`;
  return new HooklineError('INPUT_INVALID', why, { cause });
}
