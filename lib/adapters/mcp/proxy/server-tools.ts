import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import { listTools } from '../tools/list-tools.ts';
import { listedSchema } from '../tools/listed-schema.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { type PermissionOptions, permissionOf } from '../tools/permission-of.ts';

/** The tools of a session's server. They are listed when first needed. */
export interface ServerTools {
  /** Returns all tools. A tool `name` that the server does not list is included, and only the server validates its input. */
  find(name: string, list: List): Promise<readonly Tool[]>;
  /** Returns true if a tool declares structured content. */
  structures(name: string): boolean;
  /** Discards the list, because the tools have changed. */
  forget(): void;
}

/** Requests a page of the server's tools. */
export type List = (params: JsonObject | undefined) => Promise<{ tools: readonly ListedTool[]; nextCursor?: string }>;

export function createServerTools(options: PermissionOptions, execute: Tool['execute'], log: Logger): ServerTools {
  let tools: Promise<readonly Tool[]> | undefined;
  const promising = new Set<string>();
  const reported = new Set<string>();

  function toTool(listed: ListedTool): Tool {
    const { unchecked, ...schema } = listedSchema(listed);
    if (unchecked !== undefined && !reported.has(listed.name))
      log.warn({ tool: listed.name }, `only the MCP server validates the calls: ${unchecked}`);
    reported.add(listed.name);
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
    // The next call requests the list again.
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
