import { Console } from 'node:console';
import { createMcpProxy } from '../../adapters/mcp/index.ts';
import { configError } from '../../config/index.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { createInbox } from '../../hooks/index.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { askInbox, inspectProxy } from '../inspect/inspect-proxy.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { UNGUARDED } from '../presets/preset.ts';
import { auditFiles } from '../setup/audit-files.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { createLog, type logLevels } from '../setup/create-log.ts';
import { createStop } from '../setup/create-stop.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { type EndFlags, endsOf } from './ends-of.ts';

/** Options of `hookline mcp`. */
export interface McpFlags extends HookFlags, EndFlags {
  readonly workspace?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly user?: string;
  readonly trustAnnotations?: boolean;
  /** In seconds. */
  readonly askTimeout?: number;
  readonly inspect?: boolean;
  readonly pin?: string;
  readonly logLevel: (typeof logLevels)[number];
}

const ASK_S = 600;

/** Runs the proxy until the server or its client is gone. Invalid options throw before the server is started. */
export async function proxyServer(command: readonly string[], flags: McpFlags): Promise<number> {
  // Stdout belongs to the client. Output of a hook there would break its messages.
  globalThis.console = new Console(process.stderr, process.stderr);
  const between = endsOf(command, flags);
  const { config, issues } = await loadFlags(flags);
  if (issues.length > 0) throw configError(issues);
  const root = workspaceOf(flags.workspace, config.settings.workspace);
  const audit = auditPath(root);
  const log = createLog(flags.logLevel, (line) => process.stderr.write(line));
  const inbox = flags.inspect ? createInbox() : undefined;
  const live = await configuredHooks(flags, {
    audit,
    workspace: root,
    stateFolder: hooksFolder(root),
    ask: 'suspend',
    log,
    guarded: () => ({ name: 'mcp', agents: [flags.agent ?? 'mcp'] }),
    ...(inbox && { inbox, pipeline: { trace: { values: (text) => usualRedactor().redact(text).text } } }),
  });
  const { pipeline, release } = await live.lease();
  const timeoutMs = (flags.askTimeout ?? ASK_S) * 1_000;
  const { agent, session, user, trustAnnotations, pin } = flags;
  const page = inbox && (await inspectProxy(pipeline, { live, inbox, log }));
  const proxy = createMcpProxy({
    pipeline,
    log,
    ...withoutUndefined({ agent, sessionId: session, userId: user, trustAnnotations, pinsFile: pin }),
    askTimeoutMs: timeoutMs,
    ...(inbox && { ask: askInbox(inbox, timeoutMs) }),
    ...(page && { onRun: page.take }),
  });
  const stop = createStop();
  if (page) process.stderr.write(`inspect: ${page.url}\n`);
  if (flags.preset === 'none') process.stderr.write(`${UNGUARDED}\n`);
  for (const file of auditFiles(live.config)) process.stderr.write(`audit: ${harmlessText(file)}\n`);
  const why = await between(proxy, stop.signal);
  await page?.close();
  release();
  await live.close();
  if (why !== undefined) process.stderr.write(`error: ${harmlessText(why)}\n`);
  return stop.codeFor('cancelled') ?? (why === undefined ? 0 : 1);
}
