import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostTool } from '../../judge/host-call.ts';
import { hostTool, type ToolMaps } from '../host-tool.ts';
import { inFolder } from '../in-folder.ts';

const path = { file_path: 'path' };
const file = { path: 'file_path' };

/** The tools of Cursor. Its documentation does not list their fields: these were seen in adapters, so both spellings are read. */
const tools: ToolMaps = {
  Shell: { as: 'run_command', permission: 'external', apart: ['description'], needs: ['command'] },
  Read: { as: 'read_file', permission: 'read', fields: path, needs: ['path'] },
  Write: { as: 'write_file', permission: 'write', fields: { ...path, contents: 'content' }, needs: ['path'] },
  StrReplace: { as: 'Edit', permission: 'write', fields: file, needs: ['file_path'] },
  Edit: { as: 'Edit', permission: 'write', fields: file, needs: ['file_path'] },
  Delete: { as: 'delete_file', permission: 'write', fields: path, needs: ['path'] },
  Grep: { as: 'search_text', permission: 'read' },
  Glob: { as: 'Glob', permission: 'read' },
  LS: { as: 'list_files', permission: 'read' },
  ApplyPatch: { as: 'apply_patch', permission: 'write', fields: { patch: 'command' }, needs: ['command'] },
  WebFetch: { as: 'WebFetch', permission: 'external', needs: ['url'] },
  WebSearch: { as: 'WebSearch', permission: 'external' },
  Task: { as: 'Agent', permission: 'external' },
};

/** Returns a tool of Cursor. `root`: the folder of the session. `as`: the name of a tool of MCP. */
export function cursorTool(
  name: string,
  input: JsonObject,
  { root, as = mcpName(name) }: { readonly root?: string | undefined; readonly as?: string | undefined },
): HostTool {
  const tool = hostTool(tools, name, input);
  if (name === 'Shell') return inFolder(tool, input, 'working_directory', root);
  return as === undefined ? tool : { ...tool, name: as };
}

/** Returns the name of a tool of MCP in rules. Cursor sends the command or the address of its server, which stands for its name. */
export function mcpName(name: string, server?: string): string | undefined {
  const tool = name.replace(/^MCP:/, '');
  if (server === undefined && tool === name) return undefined;
  const words = (server ?? 'unknown').replace(/^\w+:\/\//, '').split(/[\s/]+/);
  const own = words.find((word) => /[a-z]/i.test(word) && !/^(?:npx|node|bunx?|uvx?|python3?|docker|-.*)$/.test(word));
  return `mcp__${(own ?? 'unknown').replace(/[^\w.-]+/g, '_').replaceAll('__', '_')}__${tool}`;
}
