import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { errorResult, type ToolResult, toolResult } from '../../events/parts/tool-result.ts';
import { keepEnds } from '../../events/values/keep-ends.ts';
import { defineTool, type Tool, type ToolItem } from '../../pipeline/define/tool.ts';
import { type Exit, spawnGroup } from '../../processes/spawn-group.ts';
import { utf8Prefix } from '../utf8-prefix.ts';
import { openWorkspace, workspaceOptionsSchema } from '../workspace.ts';
import { mergeOutputs } from './merge-outputs.ts';

const maxTimeoutMs = 3_600_000;

const inputSchema = z.strictObject({
  command: z
    .string()
    .min(1)
    .refine((command) => Buffer.byteLength(command) <= 100_000, 'must not be longer than 100000 bytes')
    .refine((command) => !command.includes('\0'), 'must not contain a NUL character')
    .describe('Command line for /bin/sh. It runs in the workspace directory, without input.'),
  timeoutMs: z.int().positive().max(maxTimeoutMs).optional().describe('Timeout of the command, in milliseconds.'),
});

const runCommandOptionsSchema = workspaceOptionsSchema.extend({
  /** Default timeout of a command in milliseconds. */
  timeoutMs: z.int().positive().max(maxTimeoutMs).default(120_000),
  /** Maximum output in bytes. A command that exceeds it is stopped. */
  maxOutputBytes: z
    .int()
    .positive()
    .default(1024 * 1024),
  /** Maximum number of characters of output for the model: its start and end. */
  maxResultCharacters: z.int().positive().default(30_000),
  /** Variables whose names look like secrets are removed, except those in `allow`. Variables in `extra` are added. */
  env: z
    .object({
      allow: z.array(z.string()).readonly().optional(),
      extra: z.record(z.string(), z.string()).optional(),
    })
    .default({}),
});

type Settings = z.output<typeof runCommandOptionsSchema>;
/** Input of the tool `run_command`. */
export type RunCommandInput = z.output<typeof inputSchema>;
/** Options of the tool `run_command`. */
export type RunCommandOptions = z.input<typeof runCommandOptionsSchema>;

/**
 * The tool `run_command`. It runs a shell command in the workspace and streams its output. On timeout, cancel or excessive output, it kills the
 * process group.
 */
export function runCommandTool(options: RunCommandOptions): Tool<RunCommandInput> {
  const parsed = parseOptions('runCommandTool()', runCommandOptionsSchema, options);
  const settings = { ...parsed, root: openWorkspace(parsed.root).root };
  return defineTool<RunCommandInput>({
    name: 'run_command',
    description: 'Runs a shell command in the workspace directory. Returns its output and exit code.',
    inputSchema,
    permission: 'external',
    execute: ({ command, timeoutMs = settings.timeoutMs }, { signal }): AsyncIterable<ToolItem> => ({
      [Symbol.asyncIterator]() {
        const cut = new AbortController();
        const items = run(command, { ...settings, timeoutMs }, signal, cut);
        // A generator that waits for output would process `return` only after the next output.
        const end = () => {
          cut.abort();
          return items.return(undefined);
        };
        return { next: () => items.next(), return: end };
      },
    }),
  });
}

async function* run(
  command: string,
  { root, env, timeoutMs, maxOutputBytes, maxResultCharacters }: Settings,
  signal: AbortSignal,
  cut: AbortController,
): AsyncGenerator<ToolItem, undefined> {
  signal.throwIfAborted();
  const group = spawnGroup(command, { cwd: root, env: cleanEnvironment(process.env, env) });
  const stop = () => void group.stop();
  const cancel = () => cut.abort();
  cut.signal.addEventListener('abort', stop);
  signal.addEventListener('abort', cancel);
  const kept = keepEnds(maxResultCharacters);
  let head = '';
  let notice = '';
  const timer = setTimeout(() => {
    notice = `Stopped after ${timeoutMs} ms. Use a larger timeoutMs, or a faster command.`;
    stop();
  }, timeoutMs);
  void group.exited.then(() => clearTimeout(timer));
  try {
    let bytes = 0;
    for await (const text of mergeOutputs(group.outputs, group.gone, cut.signal)) {
      const piece = utf8Prefix(Buffer.from(text), maxOutputBytes - bytes).toString();
      bytes += Buffer.byteLength(text);
      head += kept.take(piece);
      if (piece !== '') yield piece;
      if (bytes <= maxOutputBytes) continue;
      notice = `Stopped after ${maxOutputBytes} bytes of output. Print less, or write to a file.`;
      stop();
      break;
    }
    await group.gone;
    signal.throwIfAborted();
    if (!cut.signal.aborted) yield commandResult(head + kept.rest(), await group.exited, notice);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await group.stop();
  }
}

function commandResult(output: string, { code, signal, failure }: Exit, notice: string): ToolResult {
  const ended = signal ? `Ended by ${signal}.` : `Exit code ${code}.`;
  const how = failure ? `The command could not be started: ${failure.message}.` : ended;
  const last = `[${notice ? `${notice} ` : ''}${how}]`;
  const content = output === '' || output.endsWith('\n') ? output + last : `${output}\n${last}`;
  return code === 0 && notice === '' ? toolResult(content) : errorResult(content);
}

const secretName =
  /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|CREDENTIAL|AUTH|PRIVATE|SIGNATURE|COOKIE|SESSION|WEBHOOK|DSN|CONN(ECTION)?_?STR|JWT|BEARER|CERT|_(PAT|PWD|PASS|PIN|SALT)$|^PASS$|^HOOKLINE_/i;
// scheme://user:password@host, which is how databases and proxies are named.
const urlWithUser = /:\/\/[^/\s@]+@/;

export interface EnvironmentOptions {
  /** Names of variables to keep although they look like secrets. */
  readonly allow?: readonly string[] | undefined;
  /** Variables to add or replace. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** `environment` without the variables that look like secrets; this keeps honest programs from printing them, a hostile one can read its parent's memory. */
export function cleanEnvironment(environment: NodeJS.ProcessEnv, options: EnvironmentOptions = {}): NodeJS.ProcessEnv {
  const { allow = [], extra = {} } = options;
  const kept = Object.entries(environment).filter(
    ([name, value]) => allow.includes(name) || !(secretName.test(name) || urlWithUser.test(value ?? '')),
  );
  return { ...Object.fromEntries(kept), ...extra };
}
