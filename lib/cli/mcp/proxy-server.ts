import { Console } from 'node:console';
import { createMcpProxy } from '../../adapters/mcp/index.ts';
import { configError, loadConfig } from '../../config/index.ts';
import { configFiles, UNGUARDED } from '../presets/preset.ts';
import { auditFiles } from '../setup/audit-files.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { createLog, type logLevels } from '../setup/create-log.ts';
import { createStop } from '../setup/create-stop.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';

/** What `hookline mcp` was told. */
export interface McpFlags extends HookFlags {
  readonly workspace?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly user?: string;
  readonly trustAnnotations?: boolean;
  /** Seconds. */
  readonly askTimeout?: number;
  readonly logLevel: (typeof logLevels)[number];
}

/** Stands in front of a server until it or its client has gone. What cannot work throws before the server is started. */
export async function proxyServer(command: readonly string[], flags: McpFlags): Promise<number> {
  // Stdout is the client's; a hook that prints there would cut its messages.
  globalThis.console = new Console(process.stderr, process.stderr);
  const { config, faults } = loadConfig(configFiles(flags), { allowWeaker: flags.allowWeaker ?? false });
  if (faults.length > 0) throw configError(faults);
  const root = workspaceOf(flags.workspace, config.settings.workspace);
  const audit = auditPath(root);
  const log = createLog(flags.logLevel, (line) => process.stderr.write(line));
  const live = await configuredHooks(flags, {
    audit,
    workspace: root,
    stateFolder: hooksFolder(),
    ask: 'suspend',
    log,
  });
  const { pipeline, release } = await live.lease();
  const { agent, session, user, trustAnnotations, askTimeout } = flags;
  const proxy = createMcpProxy({
    pipeline,
    log,
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { sessionId: session }),
    ...(user !== undefined && { userId: user }),
    ...(trustAnnotations !== undefined && { trustAnnotations }),
    ...(askTimeout !== undefined && { askTimeoutMs: askTimeout * 1_000 }),
  });
  const stop = createStop();
  if (flags.preset === 'none') process.stderr.write(`${UNGUARDED}\n`);
  for (const file of auditFiles(live.config, audit, flags.preset))
    process.stderr.write(`audit: ${harmlessText(file)}\n`);
  const why = await proxy.stdio({ command }, {}, stop.signal);
  release();
  await live.close();
  if (why !== undefined) process.stderr.write(`error: ${harmlessText(why)}\n`);
  return stop.codeFor('cancelled') ?? (why === undefined ? 0 : 1);
}
