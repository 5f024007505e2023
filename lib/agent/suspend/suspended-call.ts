import { askedOf, askersOf, asksOf } from '../../events/decisions/ask.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import type { CallAnswer, PendingApprovers } from '../../pipeline/run/run.ts';
import type { PendingCall } from './snapshot.ts';

type Suspended = Pick<PendingCall, 'by' | 'prompt' | 'asks' | 'granted'>;
/** The name of an approver that is unknown. Nothing but an answer replaces it. */
const UNKNOWN = 'approver';

/** Returns who asks about a call that approvers suspended, and the approvals that still count. */
export function suspendedCall({ decision }: PreActing, answers: readonly CallAnswer[] = []): Suspended {
  return { ...askedOf(decision?.action === 'suspend' ? decision : {}), ...grantedBy(answers) };
}

/** Returns the approvals among answers. They still count when another approver suspends the call. */
export function grantedBy(answers: readonly CallAnswer[] = []): Pick<PendingCall, 'granted'> {
  const granted = answers.filter(({ approved }) => approved).map(({ by, judged }) => ({ by, judged }));
  return granted.length > 0 ? { granted } : {};
}

/** Returns the context in which a suspended call is judged again. One answer is for all approvers that ask. */
export function answeredCall(
  call: Suspended & Pick<PendingCall, 'child'>,
  given?: Omit<CallAnswer, 'by'>,
): { readonly answers: readonly CallAnswer[]; readonly pending: PendingApprovers } {
  const earlier = (call.granted ?? []).map((one): CallAnswer => ({ ...one, approved: true }));
  const names = askersOf(call);
  const asking = names.length > 0 || call.child ? names : [UNKNOWN];
  const pending = { by: [...earlier.map(({ by }) => by), ...asking], asks: asksOf(call) };
  if (!given) return { answers: earlier, pending };
  const others = earlier.filter(({ by }) => !asking.includes(by));
  return { answers: [...asking.map((by) => ({ ...given, by })), ...others], pending };
}

/** Returns a pending call after an approval for all approvers that ask. */
export function approvedCall<C extends Suspended & { readonly judged: ToolCall }>(call: C): Omit<C, 'by' | 'asks'> {
  const { by: _, asks: __, ...rest } = call;
  return { ...rest, ...grantedBy(answeredCall(call, { approved: true, judged: call.judged }).answers) };
}
