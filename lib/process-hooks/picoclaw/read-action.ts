import { isObject } from '../../events/values/is-object.ts';
import type { Reading } from './dialect.ts';
import { field, textField } from './wire/fields.ts';

export type Action = 'continue' | 'modify' | 'respond' | 'deny_tool' | 'abort_turn' | 'hard_abort';

const ACTIONS: readonly string[] = ['continue', 'modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'];

/** Returns the action of a reply. `unknown` is already reported, and its payload must not be used. */
export function readAction(
  reply: unknown,
  { dialect, diagnose }: Reading,
): { readonly action: Action | 'unknown'; readonly reason: string | undefined } {
  const decision = field(reply, 'decision');
  const aliased = isObject(decision) ? textField(decision, 'action') : undefined;
  const named = textField(reply, 'action') || (dialect.aliases ? aliased : undefined);
  const given = textField(reply, 'reason') ?? (dialect.aliases ? textField(reply, 'message') : undefined);
  const reason = given || (dialect.aliases ? textField(decision, 'reason') : undefined) || undefined;
  if (aliased !== undefined)
    diagnose(
      'wrong-dialect',
      dialect.aliases
        ? 'sent decision.action; the field is action.'
        : 'sent decision.action, which has no effect: the field is action. Set dialect.aliases to accept it.',
    );
  if (!named) return { action: 'continue', reason };
  if (ACTIONS.includes(named)) return { action: named as Action, reason };
  diagnose('unknown-action', `sent the action "${named}", which does not exist; use ${ACTIONS.join(', ')}.`);
  return { action: 'unknown', reason };
}

/** Warns about a reply whose fields are all ignored. */
export function warnOfNothing(reply: unknown, known: readonly string[], { diagnose }: Reading): void {
  if (!isObject(reply)) return;
  const names = Object.keys(reply);
  if (
    names.length === 0 ||
    names.some((name) => [...known, 'action', 'reason', 'decision'].includes(name.toLowerCase()))
  )
    return;
  diagnose(
    'nothing-recognised',
    `replied with ${names.join(', ')}, which have no effect; the fields are action, reason, ${known.join(', ')}.`,
  );
}
