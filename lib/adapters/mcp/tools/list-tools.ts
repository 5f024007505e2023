import { HooklineError } from '../../../errors.ts';
import type { ListedTool, McpClient } from './mcp-client.ts';

/** Pages of a list that are asked for at most: a server may name a next one for ever. */
const MAX_PAGES = 100;

/** All tools that a server lists, over all pages. */
export async function listTools(list: Pick<McpClient, 'listTools'>['listTools']): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await list(cursor === undefined ? undefined : { cursor });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new HooklineError('TOOL_FAILED', `The MCP server lists its tools on more than ${MAX_PAGES} pages.`);
}
