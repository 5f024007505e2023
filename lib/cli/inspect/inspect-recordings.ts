import { userInfo } from 'node:os';
import { createHookConfigs, createLiveHooks, memoryStore } from '../../config/index.ts';
import { packageVersion } from '../package-version.ts';
import { untilStopped } from '../run/until-stopped.ts';
import { loadServer } from '../setup/load-server.ts';
import { serverReport } from '../view/server-report.ts';

/** Shows recorded runs on a page until it is stopped; nothing can be changed there. Files that are no recordings throw before anything is served. */
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
  const [first] = recordings;
  // The page takes the token out of the address, and goes on at the place behind it.
  const place = recordings.length === 1 && first ? `&go=/recordings/${first.id}` : '';
  report('inspecting', { url: `${listening.url}/#token=${token}${place}` });
  await untilStopped({ hangup: true });
  await live.close();
  await listening.close(0);
  return 0;
}
