import { HooklineError } from '../../../../errors.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostTool } from '../../judge/host-call.ts';
import { hostTool, type ToolMap, type ToolMaps } from '../host-tool.ts';

const shell: ToolMap = { as: 'run_command', permission: 'external', apart: ['description'], needs: ['command'] };
const read: ToolMap = { as: 'read_file', permission: 'read', fields: { file_path: 'path' }, needs: ['path'] };
const create: ToolMap = {
  as: 'write_file',
  permission: 'write',
  fields: { file_path: 'path', file_text: 'content' },
  needs: ['path'],
};
const edit: ToolMap = { as: 'Edit', permission: 'write', fields: { path: 'file_path' }, needs: ['file_path'] };
const grep: ToolMap = { as: 'search_text', permission: 'read' };
const glob: ToolMap = { as: 'Glob', permission: 'read' };
const fetch: ToolMap = { as: 'WebFetch', permission: 'external', needs: ['url'] };
const search: ToolMap = { as: 'WebSearch', permission: 'external' };
const agent: ToolMap = { as: 'Agent', permission: 'external' };

/** The tools of Copilot, under its own names and under those of Claude Code, which the spelling of the event decides. Their fields are the same. */
const tools: ToolMaps = {
  ...{ bash: shell, powershell: shell, Bash: shell, run_in_terminal: shell },
  ...{ view: read, Read: read, create, Write: create, create_file: create },
  ...{ edit, Edit: edit, str_replace_editor: edit, replace_string_in_file: edit },
  ...{ grep, rg: grep, Grep: grep, glob, Glob: glob },
  ...{ web_fetch: fetch, WebFetch: fetch, web_search: search, WebSearch: search, task: agent, Agent: agent },
  apply_patch: {
    as: 'apply_patch',
    permission: 'write',
    fields: { patch: 'command', input: 'command' },
    needs: ['command'],
  },
};

/** Returns a tool of Copilot. Throws `INPUT_INVALID` if rules could not evaluate the call. */
export function copilotTool(name: string, input: JsonObject): HostTool {
  // Copilot names a patch as an edit, too.
  const key =
    tools[name] === edit && input['path'] === undefined && input['file_path'] === undefined
      ? patchOf(input)
      : undefined;
  const tool = hostTool(tools, key === undefined ? name : 'apply_patch', input);
  if (Object.hasOwn(tools, name) || !name.includes('-')) return tool;
  const [server = '', ...words] = name.split('-');
  // Only tools of MCP have this character, and a name with two of them may belong to two servers.
  if (words.length > 1)
    throw new HooklineError(
      'INPUT_INVALID',
      `the server of ${name} is ambiguous, because the name has several "-". Rename the server in the settings of Copilot`,
    );
  return { ...tool, name: `mcp__${server}__${words[0]}` };
}

function patchOf(input: JsonObject): string | undefined {
  return ['patch', 'input', 'command'].find((key) => typeof input[key] === 'string');
}
