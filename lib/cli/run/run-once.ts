import { dirname, join } from 'node:path';
import { fileTranscript } from '../../adapters/file-transcript.ts';
import { createAgent } from '../../agent/create-agent.ts';
import { configError, loadConfig } from '../../config/index.ts';
import { workspaceTools } from '../../tools/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { configFiles, UNGUARDED } from '../presets/preset.ts';
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
import { harmlessJson } from '../terminal/harmless-json.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { colours } from '../view/colours.ts';
import { liveView } from '../view/live-view.ts';
import { converse } from './converse.ts';

/** What `hookline run` was told. */
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
}

/** Runs one prompt to its end and gives the exit code. Settings that cannot work throw before anything has run. */
export async function runOnce(settings: RunSettings): Promise<number> {
  const { prompt, session, user, json = false } = settings;
  const approval = createApproval(settings.approve);
  const { print, log } = createOutput();
  const { config, faults } = loadConfig(configFiles(settings), { allowWeaker: settings.allowWeaker ?? false });
  if (faults.length > 0) throw configError(faults);
  const root = workspaceOf(settings.workspace, config.settings.workspace);
  const audit = auditPath(root);
  const model = await configuredModel(settings, config.settings.model);
  const live = await configuredHooks(settings, {
    audit,
    model,
    workspace: root,
    stateFolder: hooksFolder(),
    ask: approval.ask,
    log: createLog(settings.logLevel, log),
    pipeline: { trace: !json },
  });
  const { pipeline, release } = await live.lease();
  const { agent: about, tools: offered } = live.config.settings;
  const tools = offeredTools(workspaceTools({ root }), offered);
  const maxIterations = settings.maxIterations ?? about?.maxIterations;
  // Beside the audit, for the same reason: what the agent's own tools cannot reach.
  const transcript = session === undefined ? {} : { transcript: fileTranscript(join(dirname(audit), 'sessions')) };
  const { name = 'hookline', instructions = INSTRUCTIONS } = about ?? {};
  const agent = createAgent({ name, model, instructions, tools, pipeline, ...transcript });
  const stop = createStop();
  if (settings.preset === 'none') process.stderr.write(`${UNGUARDED}\n`);
  for (const file of auditFiles(live.config, audit, settings.preset))
    process.stderr.write(`audit: ${harmlessText(file)}\n`);
  if (!json) pipeline.traces$.subscribe(liveView(print, colours()));
  const post = await converse({
    agent,
    prompt,
    approval,
    options: {
      signal: stop.signal,
      ...(session !== undefined && { sessionId: session }),
      ...(user !== undefined && { userId: user }),
      ...(maxIterations !== undefined && { maxIterations }),
    },
    show: (event) => json && print(`${harmlessJson(JSON.stringify(event))}\n`),
  });
  await pipeline.flush();
  release();
  await live.close();
  const { outcome, reason } = post;
  if (json && outcome === 'failed') process.stderr.write(`error: the run failed: ${harmlessText(reason ?? '')}\n`);
  if (outcome === 'suspended' && stop.codeFor(outcome) === undefined)
    process.stderr.write('suspended: a question is open and there is no terminal to ask it on; see --approve\n');
  return stop.codeFor(outcome) ?? exitCodes[outcome];
}
