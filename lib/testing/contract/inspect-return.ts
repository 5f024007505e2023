import { messageOf } from '../../errors/describe-thrown.ts';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import { toJson } from '../../events/values/to-json.ts';
import { differences } from '../differences.ts';
import type { Issues } from './contract-issues.ts';

type Fields = Record<string, unknown>;

/** Checks the return value of a handler: only changeable fields differ, the decision is legal, and everything is JSON. */
export function inspectReturn(given: HookEvent, returned: unknown, where: string, issues: Issues): void {
  if (returned === given || typeof returned !== 'object' || returned === null) return;
  const fields = returned as Fields;
  // The engine rejects a value that is not this kind of event.
  if (fields['type'] !== given.type) return;
  const { changes, decisions } = eventRules[given.type] as { changes: readonly string[]; decisions: readonly string[] };
  const own = given as unknown as Fields;
  for (const key of new Set([...Object.keys(own), ...Object.keys(fields)])) {
    if (changes.includes(key) || key === 'decision' || key === 'notes' || same(own[key], fields[key])) continue;
    const may = changes.length > 0 ? `only ${changes.join(', ')}` : 'nothing';
    issues.add(
      where,
      `changes "${key}", but of a ${given.type} event a hook may change ${may}; the engine refuses it. Use modify(event, changes), which says so at compile time.`,
    );
  }
  const decision = fields['decision'] as { action?: unknown } | undefined;
  if (decision && decision !== own['decision'] && !decisions.includes(String(decision.action))) {
    issues.add(
      where,
      `decides ${JSON.stringify(decision.action)}, but on a ${given.type} event a handler may decide ${decisions.join(', ') || 'nothing'}. Use the helpers (deny, finish, ..), which say so at compile time.`,
    );
  }
  for (const key of [...changes, 'decision', 'notes']) {
    try {
      if (fields[key] !== own[key]) toJson(fields[key], key);
    } catch (thrown) {
      issues.add(where, `gives something that does not survive JSON: ${messageOf(thrown)}`);
    }
  }
}

function same(a: unknown, b: unknown): boolean {
  return differences(a, b).length === 0 && differences(b, a).length === 0;
}

/** Describes a thrown value as a sentence with advice. */
export function explainThrown(thrown: unknown): string {
  const message = messageOf(thrown);
  if (
    thrown instanceof TypeError &&
    /read only|not extensible|Cannot delete|Cannot define|Cannot redefine|Cannot add/.test(message)
  ) {
    return `changes the event that it got in place (${message}). Events are frozen: return modify(event, changes) instead.`;
  }
  return `fails: ${message}`;
}
