import { join } from 'node:path';
import type { Logger } from 'pino';
import { type BackplaneSettings, backplaneSchema } from '../../config/backplane-schema.ts';
import { fileStore } from '../../config/index.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { ServerLink } from '../../server/fleet/server-link.ts';
import type { FileRunStoreOptions } from '../../server/run-store/file-run-store.ts';
import type { RunStore } from '../../server/run-store/run-store.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import { fileTranscript } from '../../store/transcripts/file-transcript.ts';
import type { TranscriptStore } from '../../store/transcripts/transcript-store.ts';
import { loadBackplane, loadServer } from '../setup/load-server.ts';

export interface ServerStores {
  readonly documents: DocumentStore;
  readonly runs: RunStore;
  readonly transcript: TranscriptStore;
  /** Undefined: the state of hooks is in the folder of hooks. */
  readonly state?: StateStore;
  /** Undefined: no other machine has these stores. */
  readonly link?: ServerLink;
  /** Hooks of each run in a session. */
  readonly hooksFor?: (sessionId: string, stored?: (runId: string) => Promise<boolean>) => readonly Hook[];
  close(): Promise<void>;
}

interface Options {
  readonly backplane: BackplaneSettings | undefined;
  /** Limits of the runs of a server. Without them, no runs are recorded. */
  readonly keep?: FileRunStoreOptions;
  /** Whether the server continues runs of others that use the same directory, which may continue its own. */
  readonly takeOver?: boolean;
  readonly log?: Logger;
}

/** Opens the stores in the state directory, or on the backplane. */
export function serverStores(state: string, { backplane, keep, takeOver = false, log }: Options): ServerStores {
  if (!backplane) {
    const { fileRunStore, fileSessions } = loadServer();
    const folder = join(state, 'sessions');
    const sessions = takeOver ? fileSessions(folder) : undefined;
    return {
      documents: fileStore(state),
      runs: fileRunStore(join(state, 'runs'), { ...keep, flush: takeOver }),
      transcript: sessions?.transcript ?? fileTranscript(folder),
      ...(sessions && { hooksFor: (sessionId, stored) => [sessions.turnHook(sessionId, stored)] }),
      close: async () => {},
    };
  }
  const parts = { ...(log && { log }), ...(keep && { spill: join(state, 'spill') }) };
  const opened = loadBackplane().natsBackplane({ ...backplane, ...keep }, parts);
  return { ...opened, hooksFor: (sessionId, stored) => [opened.turnHook(sessionId, stored)] };
}

/** Returns the settings of the backplane, from the flag, the configuration and HOOKLINE_BACKPLANE_SECRET. Invalid ones are `OPTIONS_INVALID`. */
export function backplaneOf(
  { backplane: url }: { readonly backplane?: string },
  configured: BackplaneSettings | undefined,
): BackplaneSettings | undefined {
  if (url === undefined) return configured;
  const secret = configured?.secret ?? process.env['HOOKLINE_BACKPLANE_SECRET'];
  if (!secret) {
    const fix =
      'Set HOOKLINE_BACKPLANE_SECRET, or server.backplane.secret in the configuration, such as: openssl rand -base64 32';
    throw new HooklineError(
      'OPTIONS_INVALID',
      `--backplane needs the secret that all servers of the fleet have. ${fix}`,
    );
  }
  return parseOptions('--backplane, with HOOKLINE_BACKPLANE_SECRET', backplaneSchema, {
    ...configured,
    servers: url.split(','),
    secret,
  });
}
