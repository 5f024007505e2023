import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { invalid } from './read-journal.ts';
import type { ReplayedRun, Resumed } from './replay-run.ts';

/** The messages of a run in a stored conversation. */
export interface FoundRun {
  /** The index of its first message. */
  readonly start: number;
  /** The indexes of the messages of the journal, as far as they are stored. */
  readonly places: readonly number[];
  /** The index after the last of those. */
  readonly end: number;
}

type Said = Message | Resumed;
type Same = (one: Said, message: Message) => boolean;

/**
 * Finds the messages of a run in its stored conversation, after the run's own input. Throws `RECOVERY_INVALID` if the store has less than the
 * journal requires, and if the conversation has continued.
 */
export function findRun(stored: readonly Message[], run: ReplayedRun, writeAhead: boolean): FoundRun {
  const said = [...run.said, ...run.tail];
  const exact = starts(stored, said, isSame);
  // A journal may have redacted prompts. After results, a prompt was sent to an active run.
  const near = starts(stored, said, isRedacted).filter((start) => stored[start - 1]?.role !== 'tool');
  const same = exact.length > 0 || run.stored === 0 ? isSame : isRedacted;
  const fitting = (same === isSame ? exact : near)
    .map((start) => follow(stored, said, start, same))
    .filter(
      (one) => one.places.length >= run.stored && isOwn(stored.slice(one.end), run, said.length - one.places.length),
    );
  const [first] = said;
  // A later step may use the IDs of a resumed batch again, and has less of the journal after it.
  const isResumed = first !== undefined && 'ids' in first;
  const [found] = isResumed ? fitting.sort((a, b) => b.places.length - a.places.length) : fitting;
  if (found) return found;
  const mayBeThere = !writeAhead && near.length > 0;
  // A rollback may have removed its messages already.
  if ((run.stored === 0 && !mayBeThere) || run.abort?.rollback)
    return { start: stored.length, places: [], end: stored.length };
  const where = `the conversation of session ${JSON.stringify(run.run.sessionId)}`;
  throw invalid(`${where} does not match the journal: it was changed, or has continued. Start a new run.`);
}

/** The places at which the first message of a run may be, last first. */
function starts(stored: readonly Message[], [first]: readonly Said[], same: Same): readonly number[] {
  if (!first) return [stored.length];
  return stored.flatMap((message, index) => (same(first, message) ? [index] : [])).reverse();
}

/** Follows a run from its start. Between its messages, there may be those that the user has sent to it. */
function follow(stored: readonly Message[], said: readonly Said[], start: number, same: Same): FoundRun {
  const places: number[] = [];
  for (let index = start; index < stored.length && places.length < said.length; index += 1) {
    const message = stored[index] as Message;
    if (same(said[places.length] as Said, message)) places.push(index);
    else if (message.role !== 'user') break;
  }
  return { start, places, end: (places.at(-1) ?? start - 1) + 1 };
}

/**
 * Whether messages after those of the journal are of the same run. The store may have complete steps, the last message, and then messages of the
 * user, which the journal has lost. After a message of the user, a reply may be of another run.
 */
function isOwn(rest: readonly Message[], { reply, reasoned }: ReplayedRun, missing: number): boolean {
  if (rest.length === 0) return true;
  const [first, ...more] = rest.slice(0, rest.findLastIndex(({ role }) => role !== 'user') + 1);
  if (!first || !reasoned) return reasoned;
  // The hooks of postCall may have changed the last message.
  const changed = missing === 1 && reply !== undefined && !hasCalls(reply.message) && more.length === 0;
  if (missing > 0 && !changed) return false;
  const steps = first.role === 'tool' ? more : [first, ...more];
  return steps.every((message, index) =>
    index % 2 === 1
      ? message.role === 'tool'
      : message.role === 'assistant' && (hasCalls(message) || index === steps.length - 1),
  );
}

function hasCalls(message: Message): boolean {
  return toolCallsOf(message).length > 0;
}

function isSame(one: Said, message: Message): boolean {
  if ('ids' in one) {
    const ids = message.parts.flatMap((part) => (part.type === 'toolResult' ? [part.toolCallId] : []));
    return message.role === 'tool' && one.ids.every((id) => ids.includes(id));
  }
  return canonicalJson(one as unknown as JsonValue) === canonicalJson(message as unknown as JsonValue);
}

/** Whether a prompt of the journal may be a message before its redaction. */
function isRedacted(one: Said, message: Message): boolean {
  if ('ids' in one || (one.role !== 'user' && one.role !== 'system')) return isSame(one, message);
  const typesOf = ({ parts }: Message) => parts.map(({ type }) => type).join();
  return one.role === message.role && one.origin === message.origin && typesOf(one) === typesOf(message);
}
