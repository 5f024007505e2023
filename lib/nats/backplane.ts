import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { parseOptions } from '../errors/parse-options.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { ServerLink } from '../server/fleet/server-link.ts';
import type { RunStore } from '../server/run-store/run-store.ts';
import { turnHook } from '../server/runs/take-over/turn-hook.ts';
import type { DocumentStore } from '../store/documents/document-store.ts';
import { fileStore } from '../store/documents/file-store.ts';
import { documentState } from '../store/state/document-state.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import { boundedSpill } from './bounded-spill.ts';
import { type BucketOptions, createBucket } from './bucket.ts';
import { createConnection } from './connection/connection.ts';
import { lastKnown } from './last-known.ts';
import { localSessions } from './local-sessions.ts';
import { createLogStream, type LogStreamOptions } from './log-stream.ts';
import { natsDocuments } from './nats-documents.ts';
import { natsLink } from './nats-link.ts';
import { type NatsOptions, natsOptionsSchema } from './nats-options.ts';
import { natsRuns } from './nats-runs.ts';
import { natsTranscripts } from './nats-transcripts.ts';
import { createSeal } from './seal.ts';
import { sessionTurns } from './session-turns.ts';
import { spillingRuns } from './spilling-runs.ts';

/** What the servers of a fleet share. */
export interface Backplane {
  /** Configurations, tokens and suspended runs. */
  readonly documents: DocumentStore;
  /** State of hooks: counters, spending, permissions of a session. */
  readonly state: StateStore;
  /** Runs with their events. Each server sees those of all servers. */
  readonly runs: RunStore;
  /** Conversations. Runs of one session queue across servers. */
  readonly transcript: TranscriptStore;
  /** Messages between the servers, for `joinFleet`. */
  readonly link: ServerLink;
  /** Returns a hook for a run of this session. It stops the run if this server loses its turn, for example during a pause of the process. Each call waits until `stored`. */
  turnHook(sessionId: string, stored?: (runId: string) => Promise<boolean>): Hook;
  /** Closes the connection. Later calls fail with `STORE_FAILED`. */
  close(): Promise<void>;
}

/** Parts of `natsBackplane`. */
export interface BackplaneParts {
  readonly log?: Logger;
  /**
   * Folder for events of runs while NATS is away, up to `spillBytes`. They are sent later. Conversations that begin meanwhile are in a folder beside it.
   * Default: such events are lost, and no session begins.
   */
  readonly spill?: string;
  /** Maximum size of the events in `spill`, in bytes (default: 64 MiB). Further events wait in memory, within a bound. After that they are lost, and counted in the record of their run. */
  readonly spillBytes?: number;
  /** Clock of the state, in milliseconds since 1970. The servers of a fleet need the same time. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Shares the stores of a server over NATS JetStream (2.9.4 or newer). All data is encrypted and authenticated with `secret`. It connects on first use,
 * so a server starts without NATS. While NATS is away, calls fail with `STORE_FAILED`, the first ones after `timeoutMs`.
 */
export function natsBackplane(
  options: NatsOptions,
  { log, now, spill, spillBytes = 64 * 1024 * 1024 }: BackplaneParts = {},
): Backplane {
  const settings = parseOptions('natsBackplane(): invalid options', natsOptionsSchema, options);
  const { keepMs, keepBytes } = settings;
  const connection = createConnection(settings, log);
  const seal = createSeal(settings.secret, settings.app);
  const bucket = (what: string, limits?: BucketOptions) => createBucket({ connection, seal, log }, what, limits);
  const logs = (what: string, limits?: LogStreamOptions) => createLogStream(connection, seal, what, limits);
  const entries = natsDocuments(bucket('state'), { revisions: 1, bySequence: true });
  const where = 'Use another app for this fleet.';
  const state = { ...documentState(entries, { where, ...(now && { now }) }), isRemote: true };
  const server = `${hostname()}.${randomUUID()}`;
  const turns = sessionTurns(state, server);
  const runs = natsRuns(
    bucket('runs', { keepMs, keepsRemovals: true }),
    logs('events', { maxAgeMs: keepMs, maxBytes: keepBytes }),
    keepMs,
  );
  const spilling =
    spill === undefined
      ? undefined
      : spillingRuns({
          runs,
          spill: boundedSpill(spill, spillBytes),
          onReconnect: connection.onReconnect,
          log,
        });
  const link = natsLink(connection, seal, server, log);
  const documents = lastKnown(natsDocuments(bucket('documents')), { kinds: ['configs', 'tokens'], log, link });
  const shared = natsTranscripts(logs('sessions'), turns);
  const sessions =
    spill === undefined
      ? undefined
      : localSessions({
          ...{ shared, turns, log },
          store: fileStore(`${spill}-sessions`),
          onReconnect: connection.onReconnect,
        });
  return {
    documents,
    state,
    runs: spilling ?? runs,
    transcript: sessions ?? shared,
    link,
    turnHook: (sessionId, stored) => turnHook(() => (sessions ?? turns).isHeld(sessionId), stored),
    async close() {
      spilling?.close();
      sessions?.close();
      documents.close();
      await connection.close();
    },
  };
}
