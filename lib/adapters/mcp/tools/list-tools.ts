import { HooklineError } from '../../../errors.ts';
import type { ListedTool, McpClient } from './mcp-client.ts';

/** The maximum number of pages of a list. A server could return a next cursor forever. */
const MAX_PAGES = 100;

/** Returns all tools that a server lists, over all pages. */
export async function listTools(list: Pick<McpClient, 'listTools'>['listTools']): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await list(cursor === undefined ? undefined : { cursor });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new HooklineError('TOOL_FAILED', `The tool list of the MCP server has more than ${MAX_PAGES} pages.`);
}
