import { EMPTY, filter, firstValueFrom } from 'rxjs';
import { HooklineError } from '../../../errors.ts';
import type { ToolDescription } from '../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import type { Plan } from '../../../pipeline/define/plan.ts';
import { consoleLogger, safeLogger } from '../../../pipeline/logger.ts';
import { deniedBy } from '../../../pipeline/run/denied-by.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { permissionOf } from '../tools/permission-of.ts';
import type { SessionOptions } from './session-options.ts';

/** The model is not called: the preReasoning event already lists the tools. */
const noModel = () => EMPTY;

/**
 * Returns a function that filters the server's tools for clients. It shows them as pinned. It leaves out tools that hooks remove from model
 * requests, and tools whose calls are all denied. Hooks run as a dry run, outside the session's run.
 */
export function createShownTools(options: SessionOptions, plan: Plan) {
  const { pipeline, agent = 'mcp', sessionId, userId, pins } = options;
  const log = safeLogger(pipeline.options.log ?? consoleLogger);

  const describe = (tool: ListedTool): ToolDescription => ({
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: { ...tool.inputSchema, type: 'object' } as JsonObject,
    permission: permissionOf(tool, options),
  });
  const denied = (tool: ToolDescription): boolean => deniedBy(plan, tool, log) !== undefined;

  async function offered(tools: readonly ToolDescription[]): Promise<readonly ToolDescription[]> {
    const run = pipeline.start(withoutUndefined({ agent, dryRun: true, sessionId, userId }));
    const ends$ = run
      .reason({ messages: [], tools }, noModel)
      .pipe(filter(({ type }) => type === 'preReasoning' || type === 'error'));
    const event = await firstValueFrom(ends$, { defaultValue: undefined });
    run.cancel('only asked');
    if (event?.type === 'preReasoning') return event.decision?.action === 'abort' ? [] : event.tools;
    throw new HooklineError(
      'HOOK_FAILED',
      'The tools of the MCP server are hidden, because a hook that selects them failed.',
    );
  }

  async function shown(listed: readonly ListedTool[]): Promise<readonly ListedTool[]> {
    const pinned = pins ? await pins.check(listed) : listed;
    const open = pinned.filter((tool) => !denied(describe(tool)));
    if (plan.gates.preReasoning.length === 0) return open;
    const names = new Set((await offered(open.map(describe))).map(({ name }) => name));
    return open.every(({ name }) => names.has(name)) ? open : open.filter(({ name }) => names.has(name));
  }

  /** Returns the same result if all tools are shown. */
  return async (result: JsonObject): Promise<JsonObject> => {
    const listed = (result['tools'] ?? []) as unknown as readonly ListedTool[];
    const tools = await shown(listed);
    return tools === listed ? result : { ...result, tools: tools as never };
  };
}
