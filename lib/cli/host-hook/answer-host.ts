import { userInfo } from 'node:os';
import { loadConfig } from '../../config/index.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Preset } from '../presets/preset.ts';
import { configFiles } from '../presets/preset.ts';
import { auditPath } from '../setup/audit-path.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';
import { createLog } from '../setup/create-log.ts';
import { hooksFolder } from '../setup/state-folder.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import { answerClaude } from './answer-claude.ts';
import { readClaudeInput } from './claude-input.ts';
import { inTime } from './in-time.ts';
import { servePicoclaw } from './picoclaw/serve-picoclaw.ts';

/** How a hook of another host is run. */
export interface HostHookFlags {
  readonly config: readonly string[];
  readonly preset?: Preset;
  readonly hooks: readonly string[];
  readonly allowWeaker?: boolean;
  /** Seconds that an answer may take. */
  readonly timeout: number;
  readonly failOpen?: boolean;
}

/** Answers one moment of Claude Code, and gives the exit code. Whatever goes wrong refuses, unless it is to let things go on. */
export async function answerHost(
  flags: HostHookFlags,
  read: () => Promise<string>,
  write: (text: string) => void,
): Promise<number> {
  try {
    const answering = async () => {
      const moment = readClaudeInput(await read());
      return moment && withHooks(flags, moment.cwd, (pipeline) => answerClaude(pipeline, moment, userInfo().username));
    };
    const answer = await inTime(flags.timeout * 1000, answering());
    if (answer) write(`${JSON.stringify(answer)}\n`);
    return 0;
  } catch (thrown) {
    const refused = flags.failOpen ? 'It goes on without (--fail-open).' : 'Nothing was judged, so it is refused.';
    process.stderr.write(`hookline could not judge this: ${messageOf(thrown)} ${refused}\n`);
    return flags.failOpen ? 1 : 2;
  }
}

/** Answers PicoClaw until it closes our input. */
export async function answerPicoclaw(flags: HostHookFlags, write: (text: string) => void): Promise<void> {
  await withHooks(flags, undefined, (pipeline) =>
    servePicoclaw({
      pipeline,
      userId: userInfo().username,
      timeoutMs: flags.timeout * 1000,
      failOpen: flags.failOpen ?? false,
      input: process.stdin,
      write,
      log: (message) => void process.stderr.write(`${message}\n`),
    }),
  );
}

async function withHooks<T>(
  flags: HostHookFlags,
  folder: string | undefined,
  work: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  const { config } = loadConfig(configFiles(flags), { allowWeaker: flags.allowWeaker ?? false });
  const root = workspaceOf(folder, config.settings.workspace);
  const live = await configuredHooks(flags, {
    audit: auditPath(root),
    workspace: root,
    stateFolder: hooksFolder(),
    log: createLog('warn', (line) => void process.stderr.write(line)),
  });
  const { pipeline, release } = await live.lease();
  try {
    const answer = await work(pipeline);
    await pipeline.flush();
    return answer;
  } finally {
    release();
    await live.close();
  }
}
