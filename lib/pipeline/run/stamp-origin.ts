import type { Message } from '../../events/parts/message.ts';

/**
 * Marks the messages that a hook has injected with its name: those that are new and do not take the place of a message of the same role.
 * One that says where it comes from is left as it is.
 */
export function stampOrigin(hook: string, before: readonly Message[], after: readonly Message[]): readonly Message[] {
  const kept = new Set(after);
  const replaced = before.filter((message) => !kept.has(message)).map(({ role }) => role);
  const known = new Set(before);
  return after.map((message) => {
    if (known.has(message) || message.origin !== undefined) return message;
    const place = replaced.indexOf(message.role);
    if (place < 0) return { ...message, origin: hook };
    replaced.splice(place, 1);
    return message;
  });
}
