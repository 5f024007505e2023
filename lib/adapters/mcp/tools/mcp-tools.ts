import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseOptions } from '../../../errors/parse-options.ts';
import { HooklineError } from '../../../errors.ts';
import { permissionSchema } from '../../../events/parts/tool-description.ts';
import { timerMs } from '../../../events/values/timer-ms.ts';
import { defineTool, type Tool, type ToolContext } from '../../../pipeline/define/tool.ts';
import { consoleLogger, isLogger, type Logger } from '../../../pipeline/logger.ts';
import { toToolResult } from '../content/to-tool-result.ts';
import { listTools } from './list-tools.ts';
import { listedSchema } from './listed-schema.ts';
import { callWith, isSecond, type ListedTool, type McpClient, type Progress } from './mcp-client.ts';
import { type PermissionOptions, permissionOf } from './permission-of.ts';
import { type InputRequired, suspendForInput } from './suspend-for-input.ts';

/** Options of `mcpTools`. */
export interface McpToolsOptions extends PermissionOptions {
  /** The prefix for tools whose name is in use (default: the server's own name). */
  readonly server?: string;
  /** Names that are already in use. A tool with such a name becomes `server.tool`. */
  readonly taken?: readonly string[];
  /** How long a call may be silent, in milliseconds. Progress restarts the timeout (default: the client's, one minute). */
  readonly timeoutMs?: number;
  /**
   * Who answers requests for input (`input_required` of 2026-07-28, SDK v2 only). `suspend` suspends the run. Resume it with an approval whose input
   * has the form's fields in `content`, and the call is sent again. Default: the client's handlers answer.
   */
  readonly questions?: 'client' | 'suspend';
  readonly log?: Logger;
}

/** The tools of a server. */
export interface McpTools {
  /** The current tools. Pass them to each new agent, or to each run of a loop. */
  readonly tools: readonly Tool[];
  /** Lists the tools again. This also happens when the server reports a change. */
  refresh(): Promise<readonly Tool[]>;
}

const optionsSchema = z.strictObject({
  permissions: z.record(z.string(), permissionSchema).optional(),
  trustAnnotations: z.boolean().optional(),
  server: z.string().min(1).optional(),
  taken: z.array(z.string()).readonly().optional(),
  timeoutMs: timerMs().int().positive().optional(),
  questions: z.enum(['client', 'suspend']).optional(),
  log: z.custom(isLogger, 'must be a logger with the methods debug, info, warn and error').optional(),
});

/** The maximum number of requests for input in one call. */
const MAX_ROUNDS = 10;

/** SDK v1 reads the method from the shape of a zod schema. */
const listChanged = z.looseObject({ method: z.literal('notifications/tools/list_changed') });

/**
 * Returns the tools of an MCP server, for agents and loops. `client` is a connected `Client` of `@modelcontextprotocol/client` or
 * `@modelcontextprotocol/sdk`. Progress becomes acting chunks, and images and audio become media. Cancelling a call cancels it at the server. All
 * tools are `external` unless `permissions` or `trustAnnotations` set another permission. `mcpTools` handles the client's
 * `notifications/tools/list_changed`.
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<McpTools> {
  parseOptions('mcpTools()', optionsSchema, options);
  const { log = consoleLogger } = options;
  assertClient(client);
  let tools: readonly Tool[] = [];
  let [asked, newest] = [0, 0];
  const refresh = async (): Promise<readonly Tool[]> => {
    const turn = ++asked;
    const listed = await listTools((params) => client.listTools(params));
    const names = namesOf(client, listed, options);
    const made = listed.map((one, index) => toTool(client, one, names[index] as string, options, log));
    assertUnique(made, options);
    // An answer may arrive after the answer to a later request.
    if (turn > newest) [newest, tools] = [turn, made];
    return tools;
  };
  await refresh();
  const changed = async (): Promise<void> => {
    // No caller awaits this refresh. If it fails, the earlier tools stay.
    await refresh().catch((err: unknown) => log.error({ err }, 'cannot load the changed tools of an MCP server'));
  };
  client.setNotificationHandler(isSecond(client) ? 'notifications/tools/list_changed' : listChanged, changed);
  return {
    get tools() {
      return tools;
    },
    refresh,
  };
}

function toTool(client: McpClient, listed: ListedTool, name: string, options: McpToolsOptions, log: Logger): Tool {
  const { unchecked, ...schema } = listedSchema(listed);
  if (unchecked !== undefined) log.warn({ tool: listed.name }, `only the MCP server validates the calls: ${unchecked}`);
  return defineTool({
    name,
    description: listed.description ?? '',
    ...schema,
    permission: permissionOf(listed, options),
    execute: async (input: unknown, context: ToolContext) => {
      const { timeoutMs, questions } = options;
      let emitted: Promise<void> | undefined;
      const call = (given: object = {}) =>
        callWith(
          client,
          { name: listed.name, arguments: input, ...given },
          {
            signal: context.signal,
            onprogress(progress) {
              emitted = context.emit(textOf(progress));
            },
            resetTimeoutOnProgress: true,
            ...(timeoutMs !== undefined && { timeout: timeoutMs }),
            ...(questions === 'suspend' && isSecond(client) && { allowInputRequired: true }),
          },
        );
      let result = await call();
      for (let round = 0; isInputRequired(result); round++) {
        if (round === MAX_ROUNDS)
          throw new HooklineError(
            'TOOL_FAILED',
            `The MCP server asked for input ${MAX_ROUNDS} times without a result.`,
          );
        result = await call(await suspendForInput(result, context));
      }
      await emitted;
      return toToolResult(result);
    },
  } as Tool);
}

function isInputRequired(result: object): result is InputRequired {
  return (result as { resultType?: unknown }).resultType === 'input_required';
}

function textOf({ message, progress, total }: Progress): string {
  return message ?? (total === undefined ? String(progress) : `${progress}/${total}`);
}

/** Servers may use characters that models do not accept. If two names become the same, a hash of the original name is added. */
function namesOf(client: McpClient, listed: readonly ListedTool[], options: McpToolsOptions): readonly string[] {
  const { server, taken = [] } = options;
  const plain = (name: string): string => name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 128);
  const all = listed.map(({ name }) => plain(name));
  return listed.map(({ name }, index) => {
    const own = all[index] as string;
    const alone = own === name || all.indexOf(own) === all.lastIndexOf(own);
    const hash = alone ? '' : `_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
    const unique = own.slice(0, 128 - hash.length) + hash;
    if (!taken.includes(unique)) return unique;
    return `${plain(server ?? client.getServerVersion?.()?.name ?? 'mcp')}.${unique}`.slice(0, 128);
  });
}

function assertUnique(tools: readonly Tool[], { taken = [] }: McpToolsOptions): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index || taken.includes(name));
  if (twice === undefined) return;
  throw new HooklineError(
    'TOOL_INVALID',
    `mcpTools(): two tools are named "${twice}". Set another server name with the option server.`,
  );
}

function assertClient(client: McpClient): void {
  const missing = (['listTools', 'callTool', 'setNotificationHandler'] as const).find(
    (name) => typeof (client as Partial<McpClient> | undefined)?.[name] !== 'function',
  );
  if (missing === undefined) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `mcpTools(client): client.${missing} is not a function. Pass a connected Client of @modelcontextprotocol/client or ` +
      '@modelcontextprotocol/sdk (npm install @modelcontextprotocol/client).',
  );
}
