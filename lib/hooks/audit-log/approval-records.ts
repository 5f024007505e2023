import type { SettledEvent } from '../../events/hook-event.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { AuditRecord } from './audit-record.ts';
import type { AuditText } from './audit-text.ts';

/**
 * Returns the approvers and answers of a resumed run, which a server adds to its metadata. In a new run they are ignored, because its metadata comes
 * from the user.
 */
export function approvalRecords(event: SettledEvent, { short }: AuditText): AuditRecord[] {
  const { resumedFrom, depth, metadata } = event.run;
  const resumed = event.type === 'preCall' && resumedFrom !== undefined && depth === 0;
  const approvals = resumed ? metadata?.['approvals'] : undefined;
  if (!Array.isArray(approvals)) return [];
  return approvals.filter(isObject).map((given) => {
    const text = (name: string): string | undefined => {
      const value = given[name];
      return typeof value === 'string' ? short(value) : undefined;
    };
    const fields = {
      approval: text('id'),
      tool_call_id: text('toolCallId'),
      tool: text('tool'),
      action: text('action'),
      answered_by: text('by'),
      // A name alone could come from a user.
      expired: given['expired'] === true ? true : undefined,
      answered_for: text('of'),
      token: text('token'),
      address: text('address'),
      hash: text('hash'),
      reason: text('reason'),
      edited: given['edited'] === true ? true : undefined,
      answered_at: text('at'),
    };
    return { name: 'approval', fields };
  });
}
