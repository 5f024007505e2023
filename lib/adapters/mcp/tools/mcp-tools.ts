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

/** How the tools of a server are offered. */
export interface McpToolsOptions extends PermissionOptions {
  /** What the server is called where two tools bear one name. Default: the name that it gives itself. */
  readonly server?: string;
  /** Names that are in use already: a tool of that name is called `server.tool`. */
  readonly taken?: readonly string[];
  /** Milliseconds that a call may be silent; progress begins them anew. Default: that of the client, a minute. */
  readonly timeoutMs?: number;
  /**
   * `suspend`: what the server asks before it answers a call (`input_required` of 2026-07-28, with SDK v2) suspends the run; an answer is a yes whose
   * input has the form's fields in `content`. The call is made again then. Default: the handlers of the client answer.
   */
  readonly questions?: 'client' | 'suspend';
  readonly log?: Logger;
}

/** The tools of a server. */
export interface McpTools {
  /** As the server lists them now: give them to each agent that is made, or to each run of a loop. */
  readonly tools: readonly Tool[];
  /** Asks the server again, which also happens when it says that they have changed. */
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

/** How often a server may ask before it answers. */
const MAX_ROUNDS = 10;

/** Of zod as SDK v1 wants it: the method is read from its shape. */
const listChanged = z.looseObject({ method: z.literal('notifications/tools/list_changed') });

/**
 * The tools of an MCP server, for agents and loops. `client` is connected already: a `Client` of `@modelcontextprotocol/client`, or of
 * `@modelcontextprotocol/sdk`. What the server tells while it works are acting chunks, a cancelled call is cancelled there, images and sound
 * are media. All tools are `external` unless `permissions` or `trustAnnotations` say otherwise. It handles the client's
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
    // An answer may come behind that to a later question.
    if (turn > newest) [newest, tools] = [turn, made];
    return tools;
  };
  await refresh();
  const changed = async (): Promise<void> => {
    // Nobody waits for it; the tools stay what they were.
    await refresh().catch((err: unknown) => log.error({ err }, 'the changed tools of an MCP server cannot be used'));
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
  if (unchecked !== undefined)
    log.warn({ tool: listed.name }, `calls are checked by the MCP server alone: ${unchecked}`);
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
          throw new HooklineError('TOOL_FAILED', `The MCP server has asked ${MAX_ROUNDS} times and not answered.`);
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

/** Servers may use other characters than models take; names that become one are told apart by the hash of what they were. */
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
    `mcpTools(): two tools are named "${twice}". Give the server another name (the option server).`,
  );
}

function assertClient(client: McpClient): void {
  const missing = (['listTools', 'callTool', 'setNotificationHandler'] as const).find(
    (name) => typeof (client as Partial<McpClient> | undefined)?.[name] !== 'function',
  );
  if (missing === undefined) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `mcpTools(client): client.${missing} is no function. Give a connected Client of @modelcontextprotocol/client, or of ` +
      '@modelcontextprotocol/sdk (npm install @modelcontextprotocol/client).',
  );
}
