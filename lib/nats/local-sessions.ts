import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { catchError, defer, Observable, switchMap } from 'rxjs';
import { hasCode } from '../errors/has-code.ts';
import type { Message } from '../events/parts/message.ts';
import type { DocumentStore } from '../store/documents/document-store.ts';
import { inTurn } from '../store/documents/in-turn.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { natsTranscripts } from './nats-transcripts.ts';
import type { SessionTurns } from './session-turns.ts';

/** How long to wait before local sessions are sent again, in milliseconds. */
const RETRY_MS = 2_000;

interface Parts {
  /** Conversations on NATS. */
  readonly shared: ReturnType<typeof natsTranscripts>;
  readonly turns: SessionTurns;
  /** Conversations on disk that NATS does not have yet. */
  readonly store: DocumentStore;
  /** Calls a function after each reconnect, until the returned function is called. */
  readonly onReconnect: (again: () => void) => () => void;
  readonly log: Logger | undefined;
}

/** Conversations on NATS, and those that began while it was away. */
export interface LocalSessions extends TranscriptStore, Pick<SessionTurns, 'isHeld'> {
  load(sessionId: string): Promise<readonly Message[]>;
  /** Stops to send. What is stored is sent after the next start. */
  close(): void;
}

const LOCAL = 'session';
const REJECTED = 'rejected';

/**
 * Stores a session that begins while NATS is away on disk, and moves it to NATS later, also after a restart. If another server has used the same ID
 * meanwhile, NATS keeps its conversation, and the local one stays on disk.
 */
export function localSessions({ shared, turns, store, onReconnect, log }: Parts): LocalSessions {
  /** New sessions, which NATS cannot know yet. */
  const begun = new Set<string>();
  const local = new Set<string>();
  /** Sessions with a run that has its turn by this server alone. */
  const active = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const report = (err: unknown) => log?.error({ err }, 'local sessions cannot be read or moved to NATS');
  const moveNow = () => void moveAll().catch(report);

  const messagesOf = async (sessionId: string) =>
    ((await store.read([LOCAL, sessionId]))?.value ?? []) as unknown as readonly Message[];

  async function rewrite(sessionId: string, messages: readonly Message[]): Promise<void> {
    await store.write([LOCAL, sessionId], messages as never);
    local.add(sessionId);
  }

  const inOrder = <T>(sessionId: string, work: () => Promise<T>) => inTurn(`local-session:${sessionId}`, work);

  /** Moves a session that no run uses. An earlier attempt may have arrived, with fewer messages. */
  async function move(sessionId: string): Promise<void> {
    if (!local.has(sessionId) || active.has(sessionId)) return;
    const messages = await messagesOf(sessionId);
    const there = await shared.load(sessionId);
    const both = Math.min(there.length, messages.length);
    if (isDeepStrictEqual(there.slice(0, both), messages.slice(0, both))) {
      if (both < messages.length) await shared.append(sessionId, messages.slice(both));
    } else {
      await store.write([REJECTED, sessionId], messages as never);
      log?.error({ sessionId }, 'another server has used the ID of a local session; its conversation stays on disk');
    }
    await store.remove([LOCAL, sessionId]);
    local.delete(sessionId);
    begun.delete(sessionId);
  }

  async function moveAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const sessionId of [...local]) {
      if (closed) return;
      try {
        await inOrder(sessionId, () => move(sessionId));
      } catch (thrown) {
        if (!hasCode(thrown, 'STORE_FAILED')) report(thrown);
        if (!closed) timer ??= setTimeout(moveNow, RETRY_MS).unref();
        return;
      }
    }
  }

  /** Finds the sessions that an earlier process has left. */
  const known = store.list([LOCAL]).then((keys) => {
    for (const [, sessionId = ''] of keys) local.add(sessionId);
    if (local.size > 0) moveNow();
  });
  known.catch(report);
  const forget = onReconnect(moveNow);

  /** Gives the turn of a session that only this server knows. Fails with `thrown` for any other one. */
  function ownTurn(sessionId: string, thrown: unknown): Observable<() => void> {
    return new Observable((subscriber) => {
      const end = () => {
        active.delete(sessionId);
        if (local.has(sessionId)) moveNow();
      };
      // After a move that is still active, the session may be a shared one.
      void inOrder(sessionId, async () => {
        const isOwn = begun.has(sessionId) || local.has(sessionId);
        if (!hasCode(thrown, 'STORE_FAILED') || !isOwn) return subscriber.error(thrown);
        if (subscriber.closed) return;
        active.add(sessionId);
        subscriber.next(end);
        subscriber.complete();
      });
    });
  }

  return {
    begin: (sessionId) => void begun.add(sessionId),
    async load(sessionId) {
      await known;
      return active.has(sessionId) || local.has(sessionId) ? messagesOf(sessionId) : shared.load(sessionId);
    },
    async append(sessionId, given) {
      const messages = [...given];
      if (active.has(sessionId)) return rewrite(sessionId, [...(await messagesOf(sessionId)), ...messages]);
      // It may arrive without an acknowledgement.
      begun.delete(sessionId);
      await shared.append(sessionId, messages);
    },
    async truncate(sessionId, length) {
      if (active.has(sessionId)) return rewrite(sessionId, (await messagesOf(sessionId)).slice(0, length));
      await shared.truncate(sessionId, length);
    },
    turn: (sessionId): Observable<() => void> =>
      defer(async () => {
        await known;
        await inOrder(sessionId, () => move(sessionId));
      }).pipe(
        switchMap(() => turns.take(sessionId)),
        catchError((thrown: unknown) => ownTurn(sessionId, thrown)),
      ),
    isHeld: (sessionId) => active.has(sessionId) || turns.isHeld(sessionId),
    close() {
      closed = true;
      forget();
      clearTimeout(timer);
    },
  };
}
