import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { createAgent } from '../../agent/create-agent.ts';
import { configError, createHookConfigs, fileStore, type HookLease } from '../../config/index.ts';
import { createInbox } from '../../hooks/index.ts';
import { packageVersion } from '../../hooks/package-version.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { Runs } from '../../server/runs/runs.ts';
import { workspaceTools } from '../../tools/index.ts';
import { type Keep, keptBy } from '../options/keep-option.ts';
import { runLimitsOf } from '../options/run-limits-of.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { configFiles, UNGUARDED } from '../presets/preset.ts';
import { auditFiles } from '../setup/audit-files.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { configuredModel } from '../setup/configured-model.ts';
import { createLog, type logLevels } from '../setup/create-log.ts';
import { INSTRUCTIONS } from '../setup/instructions.ts';
import { keepReloaded } from '../setup/keep-reloaded.ts';
import { loadServer } from '../setup/load-server.ts';
import { offeredTools } from '../setup/offered-tools.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessLine } from '../terminal/harmless-line.ts';
import { serverReport } from '../view/server-report.ts';
import { announceServer } from './announce-server.ts';
import { guardedHost } from './guarded-host.ts';
import { policyCases } from './policy-cases.ts';
import { priceTable } from './price-table.ts';
import { serverState } from './server-state.ts';
import { backplaneOf, serverStores } from './server-stores.ts';
import { showFirstToken } from './show-first-token.ts';
import { untilStopped } from './until-stopped.ts';

/** Options of `hookline serve`. */
export interface ServeSettings extends HookFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly host?: string;
  readonly port?: number;
  readonly allowedHost: readonly string[];
  readonly state?: string;
  /** URL of a NATS server that servers of a fleet share. */
  readonly backplane?: string;
  readonly takeOver?: boolean;
  readonly grace?: number;
  readonly keep?: Keep;
  readonly logLevel: (typeof logLevels)[number];
  readonly json?: boolean;
  /** False disables the page and its data about hooks. */
  readonly page?: boolean;
}

const PORT = 8_787;
const GRACE_S = 10;

/** Serves until it is stopped. With `inspect`, it prints the URL of the page with a token. Invalid options throw before anything is served. */
export async function serveApi(flags: ServeSettings, { inspect = false } = {}): Promise<number> {
  const server = loadServer();
  const { config, issues } = await loadFlags(flags);
  if (issues.length > 0) throw configError(issues);
  const { settings } = config;
  // The stricter of flag and file applies. `inspect` requires the page.
  const page = inspect || (flags.page !== false && settings.server?.page !== false);
  const root = workspaceOf(flags.workspace, settings.workspace);
  const state = serverState(flags, config);
  const report = serverReport(flags.json ?? false);
  const log = createLog(flags.logLevel, (line) => process.stderr.write(line));
  // An invalid model fails now instead of in the first run.
  const model = await configuredModel(flags, settings.model);
  offeredTools(workspaceTools({ root }), settings.tools);

  const { takeOver = false } = flags;
  const { keep, approvals, limits = {} } = settings.server ?? {};
  const stores = serverStores(state, {
    backplane: backplaneOf(flags, settings.server?.backplane),
    keep: { ...keptBy(keep), ...flags.keep },
    takeOver,
    log,
  });
  const { documents: store, transcript } = stores;
  const inbox = createInbox();
  const { link, state: shared } = stores;
  const fleet = link && shared && server.joinFleet({ link, state: shared, inbox, log });
  const live = await configuredHooks(flags, {
    audit: auditPath(root),
    model,
    workspace: root,
    stateFolder: hooksFolder(root),
    stateStore: stores.state,
    ask: 'suspend',
    inbox,
    log,
    guarded: (files) => guardedHost('serve', files, root),
    ...(page && { pipeline: { trace: { values: (text) => usualRedactor().redact(text).text } } }),
  });
  const configs = createHookConfigs(live, store, { log });
  const tokens = server.createTokens(store);
  const agentFor = async ({ pipeline, config: { settings: own } }: HookLease) => {
    const { name = 'hookline', instructions = INSTRUCTIONS, maxIterations } = own.agent ?? {};
    const tools = offeredTools(workspaceTools({ root }), own.tools);
    const ownModel = await configuredModel(flags, own.model);
    const bound = maxIterations === undefined ? {} : { maxIterations };
    return createAgent({ name, instructions, model: ownModel, tools, pipeline, transcript, ...bound });
  };
  const stored = takeOver ? (runId: string) => runs.stored(runId) : undefined;
  const hooksFor = (sessionId: string) => stores.hooksFor?.(sessionId, stored) ?? [];
  const runs: Runs = server.createRuns({
    ...server.agentPorts(configs, agentFor, hooksFor),
    takeOver,
    store,
    runStore: stores.runs,
    tools: workspaceTools({ root }),
    place: { workspace: root, configuration: configFiles(flags).map((file) => resolve(file)) },
    transcript,
    inbox,
    ...fleet?.options,
    prices: () => priceTable(live.config),
    log,
    limits: runLimitsOf(limits, approvals?.expireAfter),
  });
  fleet?.serve(runs);
  const reported = server.createReportedRuns(runs);
  const api = server.createServer({
    configs,
    live,
    tokens,
    tools: workspaceTools({ root }),
    extra: [
      server.runRoutes(runs),
      server.reportRoutes({ runs: reported, secret: settings.server?.reports?.secret }),
      server.questionRoutes({ inbox }),
      server.caseRoutes({ cases: policyCases(flags.config) }),
    ],
    page,
    log,
    version: packageVersion(),
    ...(limits.failedLogins !== undefined && { loginLimits: { perAddress: limits.failedLogins } }),
  });
  const host = flags.host ?? settings.server?.host;
  const allowedHosts = [...(settings.server?.allowedHosts ?? []), ...flags.allowedHost];
  const listening = await server.listen(api, tokens, {
    port: flags.port ?? settings.server?.port ?? PORT,
    allowedHosts,
    ...(host !== undefined && { host }),
    ...(limits.connections !== undefined && { connections: limits.connections }),
    ...(limits.connectionsPerAddress !== undefined && { connectionsPerAddress: limits.connectionsPerAddress }),
  });
  const announced = await announceServer(fileStore(state), { workspace: root, url: listening.url });
  for (const { pid, host: at, workspace, since } of announced.others) {
    const who = `process ${pid} on ${at} since ${since}, for the workspace ${workspace}`;
    process.stderr.write(`another server uses this state directory: ${harmlessLine(who)}\n`);
  }
  const user = userInfo().username;
  const stopping = new AbortController();
  await showFirstToken(tokens, fleet !== undefined, stopping.signal);
  if (flags.preset === 'none') process.stderr.write(`${UNGUARDED}\n`);
  // Whoever reads that it listens may stop it at once.
  const stopped = untilStopped({ hangup: inspect });
  report('listening', {
    url: listening.url,
    state,
    audit: auditFiles(live.config).join(', '),
  });

  const key = inspect ? await server.pageToken(tokens, user) : undefined;
  if (key) report('inspecting', { url: `${listening.url}/#token=${key.token}` });
  // A user of the page started it in a terminal, and closing the terminal ends it.
  const reloading = keepReloaded(live, report, { hangup: !inspect });
  const signal = await stopped;
  report('draining', { signal, graceSeconds: flags.grace ?? GRACE_S });
  reloading.unsubscribe();
  stopping.abort();
  await runs.drain((flags.grace ?? GRACE_S) * 1_000);
  await key?.revoke();
  await announced.leave();
  // This ends the streams of its changes.
  await live.close();
  await listening.close();
  fleet?.leave();
  await stores.close();
  report('ended', {});
  return 0;
}
