import { EMPTY, filter, firstValueFrom } from 'rxjs';
import { HooklineError } from '../../../errors.ts';
import type { ToolDescription } from '../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Plan } from '../../../pipeline/define/plan.ts';
import { consoleLogger, safeLogger } from '../../../pipeline/logger.ts';
import { deniedBy } from '../../../pipeline/run/denied-by.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { permissionOf } from '../tools/permission-of.ts';
import type { SessionOptions } from './session-options.ts';

/** Nobody is asked: the tools stand in the event before it. */
const noModel = () => EMPTY;

/**
 * What clients are shown of the server's tools: as they were pinned, and without those that hooks take out of what a model is offered, or
 * whose calls are all denied. The hooks are asked what they would do; nothing of it is a step of the run.
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
    const run = pipeline.start({
      agent,
      dryRun: true,
      ...(sessionId !== undefined && { sessionId }),
      ...(userId !== undefined && { userId }),
    });
    const ends$ = run
      .reason({ messages: [], tools }, noModel)
      .pipe(filter(({ type }) => type === 'preReasoning' || type === 'error'));
    const event = await firstValueFrom(ends$, { defaultValue: undefined });
    run.cancel('only asked');
    if (event?.type === 'preReasoning') return event.decision?.action === 'abort' ? [] : event.tools;
    throw new HooklineError(
      'HOOK_FAILED',
      'The tools of the MCP server are not shown: a hook that selects them has failed.',
    );
  }

  async function shown(listed: readonly ListedTool[]): Promise<readonly ListedTool[]> {
    const pinned = pins ? await pins.check(listed) : listed;
    const open = pinned.filter((tool) => !denied(describe(tool)));
    if (plan.gates.preReasoning.length === 0) return open;
    const names = new Set((await offered(open.map(describe))).map(({ name }) => name));
    return open.every(({ name }) => names.has(name)) ? open : open.filter(({ name }) => names.has(name));
  }

  /** The same result where all of it is shown. */
  return async (result: JsonObject): Promise<JsonObject> => {
    const listed = (result['tools'] ?? []) as unknown as readonly ListedTool[];
    const tools = await shown(listed);
    return tools === listed ? result : { ...result, tools: tools as never };
  };
}
