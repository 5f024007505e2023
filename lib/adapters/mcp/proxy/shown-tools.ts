import { EMPTY, filter, firstValueFrom } from 'rxjs';
import { HooklineError } from '../../../errors.ts';
import type { ToolDescription } from '../../../events/parts/tool-description.ts';
import { ignoreRejection, isAsync } from '../../../events/values/is-async.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Hook } from '../../../pipeline/define/hook.ts';
import type { Plan } from '../../../pipeline/define/plan.ts';
import { consoleLogger, safeLogger } from '../../../pipeline/logger.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { permissionOf } from '../tools/permission-of.ts';
import type { SessionOptions } from './session-options.ts';

/** Nobody is asked: the tools stand in the event before it. */
const noModel = () => EMPTY;

/**
 * What clients are shown of the server's tools: as they were pinned, and without those that hooks take out of what a model is offered, or
 * whose calls are all denied. The hooks are asked what they would do; nothing of it is a step of the run.
 */
export function createShownTools(options: SessionOptions, { gates, approvers }: Plan) {
  const { pipeline, agent = 'mcp', sessionId, userId, pins } = options;
  const log = safeLogger(pipeline.options.log ?? consoleLogger);
  const deniers = approvers.filter(({ hook }) => hook.denies);

  const describe = (tool: ListedTool): ToolDescription => ({
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: { ...tool.inputSchema, type: 'object' } as JsonObject,
    permission: permissionOf(tool, options),
  });
  const denied = (tool: ToolDescription): boolean =>
    deniers.some(({ hook, applies }) => (applies?.(tool.name, tool.permission) ?? true) && denies(hook, tool));

  function denies(hook: Hook, tool: ToolDescription): boolean {
    try {
      const answer: unknown = hook.denies?.(tool);
      if (!isAsync(answer)) return Boolean(answer);
      ignoreRejection(answer);
      throw new HooklineError('HOOK_CONTRACT', `Hook "${hook.name}" (denies): must return true or false at once.`);
    } catch (err) {
      log.error({ hook: hook.name, tool: tool.name, err }, 'a hook failed in denies; the tool is not shown');
      return true;
    }
  }

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
    const open = deniers.length === 0 ? pinned : pinned.filter((tool) => !denied(describe(tool)));
    if (gates.preReasoning.length === 0) return open;
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
