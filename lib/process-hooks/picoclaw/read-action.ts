import type { Reading } from './dialect.ts';
import { isRecord, member, textMember } from './wire/member.ts';

export type Action = 'continue' | 'modify' | 'respond' | 'deny_tool' | 'abort_turn' | 'hard_abort';

const ACTIONS: readonly string[] = ['continue', 'modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'];

/** What a reply says is to be done. `unknown` has been diagnosed, and its payload must not be used. */
export function readAction(
  reply: unknown,
  { dialect, diagnose }: Reading,
): { readonly action: Action | 'unknown'; readonly reason: string | undefined } {
  const decision = member(reply, 'decision');
  const aliased = isRecord(decision) ? textMember(decision, 'action') : undefined;
  const named = textMember(reply, 'action') || (dialect.aliases ? aliased : undefined);
  const said = textMember(reply, 'reason') ?? (dialect.aliases ? textMember(reply, 'message') : undefined);
  const reason = said || (dialect.aliases ? textMember(decision, 'reason') : undefined) || undefined;
  if (aliased !== undefined)
    diagnose(
      'wrong-dialect',
      dialect.aliases
        ? 'wrote decision.action; the name is action.'
        : 'wrote decision.action, which has no effect: the name is action. Set dialect.aliases to take it.',
    );
  if (!named) return { action: 'continue', reason };
  if (ACTIONS.includes(named)) return { action: named as Action, reason };
  diagnose('unknown-action', `wrote the action "${named}", which does not exist; it may be ${ACTIONS.join(', ')}.`);
  return { action: 'unknown', reason };
}

/** Warns of a reply that has members, but none that counts. */
export function warnOfNothing(reply: unknown, known: readonly string[], { diagnose }: Reading): void {
  if (!isRecord(reply)) return;
  const names = Object.keys(reply);
  if (
    names.length === 0 ||
    names.some((name) => [...known, 'action', 'reason', 'decision'].includes(name.toLowerCase()))
  )
    return;
  diagnose(
    'nothing-recognised',
    `replied with ${names.join(', ')}, none of which counts here; there are action, reason, ${known.join(', ')}.`,
  );
}
