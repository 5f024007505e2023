import { userInfo } from 'node:os';
import { createHookConfigs, createLiveHooks, memoryStore } from '../../config/index.ts';
import { packageVersion } from '../../hooks/package-version.ts';
import { replay } from '../../replay/replay.ts';
import type { Recordings } from '../../server/index.ts';
import { type ReplayHookFlags, type ReplayHooks, replayHooks } from '../replay/replay-hooks.ts';
import { untilStopped } from '../run/until-stopped.ts';
import { loadServer } from '../setup/load-server.ts';
import { serverReport } from '../view/server-report.ts';

export interface RecordingPage {
  readonly port?: number;
  readonly json?: boolean;
  /** Hooks of replays. Without configurations, recordings are not replayed. */
  readonly replayed?: ReplayHookFlags;
}

/**
 * Serves recorded runs on a read-only page until it is stopped, each beside its replay if there are hooks. Files that are not recordings throw before
 * anything is served.
 */
export async function inspectRecordings(
  files: readonly string[],
  { port = 0, json = false, replayed }: RecordingPage = {},
): Promise<number> {
  const server = loadServer();
  const recordings = server.openRecordings(files);
  const hooks = replayed && (await replayHooks(replayed));
  const store = memoryStore();
  const live = await createLiveHooks({ files: [] });
  const configs = createHookConfigs(live, store);
  const tokens = server.createTokens(store);
  const replays = hooks && replayRoutesOf(server, recordings, hooks);
  const extra = [server.recordingRoutes(recordings), ...(replays ? [replays] : [])];
  const api = server.createServer({ configs, live, tokens, extra, page: true, version: packageVersion() });
  const listening = await server.listen(api, tokens, { port });
  const token = await tokens.issue({ user: userInfo().username, rights: ['read'] });
  const report = serverReport(json);
  const list = recordings.list();
  const [first] = list;
  // The page removes the token from the URL and continues to the place after it.
  const place = list.length === 1 && first ? `&go=/recordings/${first.id}` : '';
  report('inspecting', { url: `${listening.url}/#token=${token}${place}` });
  await untilStopped({ hangup: true });
  await live.close();
  await listening.close(0);
  await hooks?.close();
  return 0;
}

function replayRoutesOf(
  server: ReturnType<typeof loadServer>,
  recordings: Recordings,
  hooks: ReplayHooks,
): ReturnType<typeof server.replayRoutes> {
  return server.replayRoutes({ recordings, replay: ({ file }) => replay(file, hooks.pipeline, hooks) });
}
