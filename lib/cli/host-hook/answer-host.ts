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
import { type ClaudeMoment, readClaudeInput } from './claude-input.ts';
import { shapedLike } from './claude-tool-use.ts';
import { inTime } from './in-time.ts';
import { refusePicoclaw, servePicoclaw } from './picoclaw/serve-picoclaw.ts';

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
  stray: Promise<never>,
): Promise<number> {
  let moment: ReturnType<typeof readClaudeInput>;
  try {
    const answering = async () => {
      moment = readClaudeInput(await read());
      const told = moment;
      return told && withHooks(flags, told.cwd, (pipeline) => answerClaude(pipeline, told, userInfo().username));
    };
    const answer = await inTime(flags.timeout * 1000, Promise.race([answering(), stray]));
    if (answer) write(`${JSON.stringify(answer)}\n`);
    return 0;
  } catch (thrown) {
    const refused = flags.failOpen ? 'It goes on without (--fail-open).' : 'Nothing was judged, so it is refused.';
    process.stderr.write(`hookline could not judge this: ${messageOf(thrown)} ${refused}\n`);
    return flags.failOpen ? 1 : refuseClaude(moment, messageOf(thrown), write);
  }
}

/** Refuses what could not be judged, and gives the exit code: 2 stops what is to come, but shows an output, and sends on a session that stops. */
function refuseClaude(moment: ClaudeMoment | undefined, why: string, write: (text: string) => void): number {
  switch (moment?.hook_event_name) {
    case 'PostToolUse': {
      const text = `The output was withheld: hookline could not judge it: ${why}`;
      const updatedToolOutput = shapedLike(moment.tool_response, text);
      write(`${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } })}\n`);
      return 0;
    }
    case 'Stop':
    case 'SubagentStop':
      // It has been sent on before, and would be for ever.
      return moment.stop_hook_active ? 1 : 2;
    default:
      return 2;
  }
}

/** Answers PicoClaw until it closes our input. */
export async function answerPicoclaw(flags: HostHookFlags, write: (text: string) => void): Promise<void> {
  let serving = false;
  const serve = (pipeline: Pipeline): Promise<void> => {
    serving = true;
    return servePicoclaw({
      pipeline,
      userId: userInfo().username,
      timeoutMs: flags.timeout * 1000,
      failOpen: flags.failOpen ?? false,
      input: process.stdin,
      write,
      log: (message) => void process.stderr.write(`${message}\n`),
    });
  };
  try {
    await withHooks(flags, undefined, serve);
  } catch (thrown) {
    // PicoClaw goes on without a hook that ends.
    if (!serving && !flags.failOpen) await refusePicoclaw(messageOf(thrown), process.stdin, write);
    throw thrown;
  }
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
