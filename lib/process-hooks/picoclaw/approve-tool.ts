import { type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { Reading } from './dialect.ts';
import { flagField, textField } from './wire/fields.ts';

/** Applies the reply to `hook.approve_tool`. Only an explicit `approved: true` allows the call. In protocol 2 it can also suspend (`suspends`). */
export function takeApproval(reply: unknown, { dialect, diagnose }: Reading, suspends = false): Verdict {
  const allow = flagField(reply, 'allow');
  if (typeof allow === 'boolean') diagnose('wrong-dialect', 'sent allow; the field is approved.');
  const approved = flagField(reply, 'approved') ?? (dialect.aliases ? allow : undefined);
  const reason = textField(reply, 'reason') ?? (dialect.aliases ? textField(reply, 'message') : undefined);
  if (suspends && approved !== false && flagField(reply, 'suspended')) {
    const prompt = textField(reply, 'prompt');
    if (prompt) return verdict.suspend(prompt);
    diagnose('no-prompt', 'suspended a call without a prompt, so the call is denied; set prompt.');
    return verdict.deny(reason || 'The approval hook suspended the call without a prompt.');
  }
  if (approved === true) return verdict.allow();
  if (approved === false) return verdict.deny(reason || 'Tool execution denied by approval hook');
  diagnose('no-verdict', 'replied to approve_tool without approved: true or false, so the call is denied.');
  return verdict.deny(reason || 'The approval hook gave no verdict.');
}
