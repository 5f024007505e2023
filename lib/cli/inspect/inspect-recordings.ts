import { userInfo } from 'node:os';
import { createHookConfigs, createLiveHooks, memoryStore } from '../../config/index.ts';
import { packageVersion } from '../../hooks/package-version.ts';
import { untilStopped } from '../run/until-stopped.ts';
import { loadServer } from '../setup/load-server.ts';
import { serverReport } from '../view/server-report.ts';

/** Serves recorded runs on a read-only page until it is stopped. Files that are not recordings throw before anything is served. */
export async function inspectRecordings(files: readonly string[], { port = 0, json = false } = {}): Promise<number> {
  const server = loadServer();
  const recordings = server.openRecordings(files);
  const store = memoryStore();
  const live = await createLiveHooks({ files: [] });
  const configs = createHookConfigs(live, store);
  const tokens = server.createTokens(store);
  const extra = [server.recordingRoutes(recordings)];
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
  return 0;
}
