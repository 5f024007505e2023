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

/**
 * Returns the name of a tool of MCP in rules. Cursor sends the command or the address of its server instead of its name. The name is guessed from the
 * package or the host: `npx -y @modelcontextprotocol/server-github` is `github`.
 */
export function mcpName(name: string, server?: string): string | undefined {
  const tool = name.replace(/^MCP:/, '');
  if (server === undefined && tool === name) return undefined;
  return `mcp__${serverName(server ?? '')}__${tool}`;
}

const LAUNCHERS = /^(?:npx|npm|exec|node|bunx?|uvx?|pipx?|run|python3?|docker|deno|-.*)$/;

function serverName(server: string): string {
  const host = /^\w+:\/\/([^/:]+)/.exec(server)?.[1];
  const words = host
    ? host.split('.').slice(0, -1).reverse()
    : server.split(/\s+/).map((word) => word.split('/').at(-1) ?? '');
  const own = words.find((word) => /[a-z]/i.test(word) && !LAUNCHERS.test(word)) ?? 'unknown';
  const bare = own
    .replace(/@[\w.-]+$|\.\w+$/, '')
    .replace(/^(?:mcp[-_])?(?:server[-_])|[-_](?:mcp|server)(?:[-_](?:mcp|server))?$/g, '');
  return (bare || own).replace(/[^\w.-]+/g, '_').replaceAll('__', '_');
}
