import { HooklineError } from '../../../../errors.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostTool } from '../../judge/host-call.ts';
import { hostTool, type ToolMaps, unreadable } from '../host-tool.ts';
import { inFolder } from '../in-folder.ts';

/** The server and the tool of a call of MCP. The name of the call alone is ambiguous. */
export interface McpContext {
  readonly server_name: string;
  readonly tool_name: string;
}

const path = { file_path: 'path' };
const folder = { dir_path: 'path' };

/** The tools of Gemini CLI, and of Qwen Code. */
const tools: ToolMaps = {
  run_shell_command: { as: 'run_command', permission: 'external', apart: ['description'], needs: ['command'] },
  read_file: { as: 'read_file', permission: 'read', fields: path, needs: ['path'] },
  read_many_files: { as: 'read_many_files', permission: 'read', fields: { include: 'paths' }, needsList: ['paths'] },
  write_file: { as: 'write_file', permission: 'write', fields: path, needs: ['path'] },
  replace: { as: 'Edit', permission: 'write', needs: ['file_path'] },
  list_directory: { as: 'list_files', permission: 'read', fields: folder },
  glob: { as: 'Glob', permission: 'read', fields: folder },
  grep_search: { as: 'search_text', permission: 'read', fields: folder },
  search_file_content: { as: 'search_text', permission: 'read', fields: folder },
  web_fetch: { as: 'WebFetch', permission: 'external', needs: ['prompt'] },
  google_web_search: { as: 'WebSearch', permission: 'external' },
};

/** Returns a tool of Gemini CLI. Throws `INPUT_INVALID` if rules could not evaluate the call. */
export function geminiTool(name: string, input: JsonObject, mcp: McpContext | undefined, root?: string): HostTool {
  const tool = hostTool(tools, name, input);
  if (mcp) return { ...tool, name: `mcp__${mcp.server_name}__${mcp.tool_name}` };
  if (name.startsWith('mcp_'))
    throw new HooklineError('INPUT_INVALID', `the call of ${name} has no "mcp_context", so its server is unknown`);
  if (name === 'run_shell_command') return inFolder(tool, input, 'dir_path', root);
  return name === 'web_fetch' ? fetching(tool, input) : tool;
}

/** The addresses that `web_fetch` loads are words of its prompt. */
function fetching(tool: HostTool, input: JsonObject): HostTool {
  if (urlsIn(input['prompt']).length === 0) throw unreadable('web_fetch', 'with an address in "prompt"');
  return {
    ...tool,
    toOurs: (given) => ({ ...given, ...('prompt' in given && { url: urlsIn(given['prompt']) }) }),
    restore: ({ url: _, ...ours }) => tool.restore?.(ours),
  };
}

function urlsIn(prompt: unknown): readonly string[] {
  return typeof prompt === 'string' ? (prompt.match(/https?:\/\/[^\s"'<>`]+/gi) ?? []) : [];
}
