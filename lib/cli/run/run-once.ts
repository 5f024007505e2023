import { dirname, join } from 'node:path';
import { Subject } from 'rxjs';
import { createAgent } from '../../agent/create-agent.ts';
import { configError } from '../../config/index.ts';
import { withCleanPrompts } from '../../events/clean-prompts.ts';
import { harmlessJson } from '../../events/values/harmless-json.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { createInbox } from '../../hooks/index.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { fileTranscript } from '../../store/transcripts/file-transcript.ts';
import { workspaceTools } from '../../tools/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { inspectRun } from '../inspect/inspect-run.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { UNGUARDED } from '../presets/preset.ts';
import { auditFiles } from '../setup/audit-files.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { configuredModel } from '../setup/configured-model.ts';
import { type approvals, createApproval } from '../setup/create-approval.ts';
import { createLog, type logLevels } from '../setup/create-log.ts';
import { createOutput } from '../setup/create-output.ts';
import { createStop } from '../setup/create-stop.ts';
import { INSTRUCTIONS } from '../setup/instructions.ts';
import { offeredTools } from '../setup/offered-tools.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { hasTerminal } from '../terminal/has-terminal.ts';
import { colours } from '../view/colours.ts';
import { liveView } from '../view/live-view.ts';
import { converse } from './converse.ts';
import { guardedHost } from './guarded-host.ts';

/** Options of `hookline run`. */
export interface RunSettings extends HookFlags {
  readonly prompt: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly approve?: (typeof approvals)[number];
  readonly session?: string;
  readonly user?: string;
  readonly maxIterations?: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly json?: boolean;
  /** True if a page shows the run. */
  readonly inspect?: boolean;
}

/** Runs one prompt to its end and returns the exit code. Invalid settings throw before anything runs. */
export async function runOnce(settings: RunSettings): Promise<number> {
  const { prompt, session, user, json = false, inspect = false } = settings;
  const inbox = inspect ? createInbox() : undefined;
  const approval = createApproval(settings.approve, inbox);
  const { print, log } = createOutput();
  const { config, issues } = await loadFlags(settings);
  if (issues.length > 0) throw configError(issues);
  const root = workspaceOf(settings.workspace, config.settings.workspace);
  const audit = auditPath(root);
  const model = await configuredModel(settings, config.settings.model);
  const own = createLog(settings.logLevel, log);
  const live = await configuredHooks(settings, {
    audit,
    model,
    workspace: root,
    stateFolder: hooksFolder(root),
    ask: approval.ask,
    log: own,
    guarded: (files) => guardedHost('run', files, root),
    ...(inbox && { inbox }),
    pipeline: { trace: inspect ? { values: (text) => usualRedactor().redact(text).text } : !json },
  });
  const { pipeline, release } = await live.lease();
  const { agent: about, tools: offered } = live.config.settings;
  const tools = offeredTools(workspaceTools({ root }), offered);
  const maxIterations = settings.maxIterations ?? about?.maxIterations;
  // Next to the audit log, because the agent's own tools cannot access that folder.
  const transcript = session === undefined ? {} : { transcript: fileTranscript(join(dirname(audit), 'sessions')) };
  const { name = 'hookline', instructions = INSTRUCTIONS } = about ?? {};
  const agent = createAgent({ name, model, instructions, tools, pipeline, ...transcript });
  const stop = createStop();
  const cancelled = new AbortController();
  const interrupt$ = new Subject<'graceful'>();
  const page =
    inbox &&
    (await inspectRun({
      live,
      inbox,
      log: own,
      cancel: (reason) => cancelled.abort(reason),
      interrupt: () => interrupt$.next('graceful'),
    }));
  if (page) process.stderr.write(`inspect: ${page.url}\n`);
  if (settings.preset === 'none') process.stderr.write(`${UNGUARDED}\n`);
  for (const file of auditFiles(live.config)) process.stderr.write(`audit: ${harmlessText(file)}\n`);
  if (!json) pipeline.traces$.subscribe(liveView(print, colours()));
  const post = await converse({
    agent,
    prompt,
    approval,
    options: {
      signal: AbortSignal.any([stop.signal, cancelled.signal]),
      interrupt$,
      ...withoutUndefined({ sessionId: session, userId: user, maxIterations }),
    },
    page,
    show: (event) => json && print(`${harmlessJson(JSON.stringify(withCleanPrompts(event)))}\n`),
  });
  await pipeline.flush();
  if (page) await untilLooked(stop.signal);
  await page?.close();
  release();
  await live.close();
  const { outcome, reason } = post;
  if (json && outcome === 'failed') process.stderr.write(`error: the run failed: ${harmlessText(reason ?? '')}\n`);
  if (outcome === 'suspended' && !page && stop.codeFor(outcome) === undefined)
    process.stderr.write('suspended: an approval prompt is open, and there is no terminal for it; see --approve\n');
  return stop.codeFor(outcome) ?? exitCodes[outcome];
}

/** Keeps the page open after the run if there is a terminal to close it. */
async function untilLooked(signal: AbortSignal): Promise<void> {
  if (!hasTerminal() || signal.aborted) return;
  process.stderr.write('The web UI stays open until Ctrl-C.\n');
  await new Promise<void>((resolve) => {
    // A signal listener alone does not keep the process alive.
    const waiting = setInterval(() => {}, 60_000);
    signal.addEventListener('abort', () => {
      clearInterval(waiting);
      resolve();
    });
  });
}
