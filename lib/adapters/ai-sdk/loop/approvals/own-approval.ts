import { messageOf } from '../../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../../errors.ts';
import type { HostAi, HostMessage, HostTools } from '../host-ai.ts';

/** What version 7 asks about a call before it runs it. */
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

/** What is to become of a call, as version 7 says it. */
export interface ApprovalStatus {
  readonly type: 'not-applicable' | 'approved' | 'denied' | 'user-approval';
  readonly reason?: string;
}

type Told = ApprovalStatus | ApprovalStatus['type'] | undefined;
type ForAll = (request: ApprovalRequest) => Told | PromiseLike<Told>;
type ForOne = (input: unknown, options: object) => Told | PromiseLike<Told>;
type ToolApproval = ForAll | Readonly<Record<string, Told | ForOne>> | undefined;

/** What the user's own policy says of a call: `toolApproval`, and where it does not know the tool, the tool's `needsApproval`. Each is given what the SDK gives it. */
export async function ownApproval(ai: HostAi, request: ApprovalRequest, given: unknown): Promise<ApprovalStatus> {
  const policy = given as ToolApproval;
  if (typeof policy === 'function') return statusOf(await policy(request));
  const { toolCall, tools, messages, runtimeContext } = request;
  const { toolCallId, toolName, input } = toolCall;
  const told = ownOf(policy, toolName);
  if (typeof told === 'function') {
    const toolContext = await contextOf(ai, request);
    return statusOf(await told(input, { toolCallId, messages, toolContext, runtimeContext }));
  }
  if (told !== undefined && told !== null) return statusOf(told);
  const needs = ownOf(tools, toolName)?.needsApproval;
  const asks =
    typeof needs === 'function'
      ? await needs(input, { toolCallId, ...(messages && { messages }), context: await contextOf(ai, request) })
      : needs;
  return { type: asks ? 'user-approval' : 'not-applicable' };
}

function statusOf(told: Told): ApprovalStatus {
  if (told === undefined) return { type: 'not-applicable' };
  return typeof told === 'string' ? { type: told } : told;
}

async function contextOf(
  ai: HostAi,
  { toolCall: { toolName }, tools, toolsContext }: ApprovalRequest,
): Promise<unknown> {
  const context = ownOf(toolsContext, toolName);
  const contextSchema = ownOf(tools, toolName)?.contextSchema;
  if (contextSchema === undefined) return context;
  const told = await ai.asSchema(contextSchema as never).validate?.(context);
  if (told?.success === false) throw invalid(toolName, told.error);
  return told ? told.value : context;
}

/** The names of tools come from messages: `constructor` is none. */
function ownOf<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

function invalid(tool: string, cause: unknown): HooklineError {
  const why = `toolsContext does not fit the contextSchema of tool "${tool}": ${messageOf(cause)}`;
  return new HooklineError('INPUT_INVALID', why, { cause });
}
