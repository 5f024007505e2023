import { type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { Reading } from './dialect.ts';
import { flagMember, textMember } from './wire/member.ts';

/** What follows from the reply to `hook.approve_tool`: only a plain `approved: true` lets the call run. In protocol 2 it `suspends` too. */
export function takeApproval(reply: unknown, { dialect, diagnose }: Reading, suspends = false): Verdict {
  const allow = flagMember(reply, 'allow');
  if (typeof allow === 'boolean') diagnose('wrong-dialect', 'wrote allow; the name is approved.');
  const said = flagMember(reply, 'approved') ?? (dialect.aliases ? allow : undefined);
  const reason = textMember(reply, 'reason') ?? (dialect.aliases ? textMember(reply, 'message') : undefined);
  if (suspends && said !== false && flagMember(reply, 'suspended')) {
    const prompt = textMember(reply, 'prompt');
    if (prompt) return verdict.suspend(prompt);
    diagnose(
      'no-prompt',
      'suspended a call without a prompt, so it is verdict.deny; put what is to be asked into prompt.',
    );
    return verdict.deny(reason || 'The approval hook asked for somebody, but not what.');
  }
  if (said === true) return verdict.allow();
  if (said === false) return verdict.deny(reason || 'Tool execution denied by approval hook');
  diagnose('no-verdict', 'replied to approve_tool without approved: true or false, so the call is denied.');
  return verdict.deny(reason || 'The approval hook gave no verdict.');
}
