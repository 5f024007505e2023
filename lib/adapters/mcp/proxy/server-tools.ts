import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import { listTools } from '../tools/list-tools.ts';
import { listedSchema } from '../tools/listed-schema.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { type PermissionOptions, permissionOf } from '../tools/permission-of.ts';

/** The tools of the server of one session, asked for when they are first needed. */
export interface ServerTools {
  /** All tools; that of `name` is among them even where the server does not list it, and is checked by the server alone. */
  find(name: string, list: List): Promise<readonly Tool[]>;
  /** Whether a tool promises structured content. */
  structures(name: string): boolean;
  /** They have changed. */
  forget(): void;
}

/** Asks the server for a page of its tools. */
export type List = (params: JsonObject | undefined) => Promise<{ tools: readonly ListedTool[]; nextCursor?: string }>;

export function createServerTools(options: PermissionOptions, execute: Tool['execute'], log: Logger): ServerTools {
  let tools: Promise<readonly Tool[]> | undefined;
  const promising = new Set<string>();
  const told = new Set<string>();

  function toTool(listed: ListedTool): Tool {
    const { unchecked, ...schema } = listedSchema(listed);
    if (unchecked !== undefined && !told.has(listed.name))
      log.warn({ tool: listed.name }, `calls are checked by the MCP server alone: ${unchecked}`);
    told.add(listed.name);
    if (listed.outputSchema !== undefined) promising.add(listed.name);
    const { name, description = '' } = listed;
    return { name, description, ...schema, permission: permissionOf(listed, options), execute };
  }

  const load = (list: List): Promise<readonly Tool[]> => {
    promising.clear();
    const loading = listTools(list).then((listed) => [
      ...new Map(listed.map((one) => [one.name, toTool(one)])).values(),
    ]);
    tools = loading;
    // The next call asks again.
    loading.catch(() => {
      if (tools === loading) tools = undefined;
    });
    return loading;
  };

  return {
    async find(name, list) {
      const has = (known: readonly Tool[]): boolean => known.some((tool) => tool.name === name);
      const known = tools && (await tools);
      const listed = known && has(known) ? known : await load(list);
      return has(listed) ? listed : [...listed, { ...toTool({ name }), ...anyInput }];
    },
    structures: (name) => promising.has(name),
    forget() {
      tools = undefined;
    },
  };
}

const anyInput = { inputSchema: { type: 'object' } };
