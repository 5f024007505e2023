import { statSync } from 'node:fs';
import { z } from 'zod';
import { type JsonObject, jsonObjectSchema } from '../../../../events/values/json-value.ts';
import { toHostCall } from '../../judge/host-call.ts';
import type { HostMoment } from '../../judge/host-moment.ts';
import { parsedFields, unknownEvent } from '../event-fields.ts';
import { exitCodeHost } from '../exit-code-host.ts';
import { hostTool, type ToolMaps } from '../host-tool.ts';
import { inFolder } from '../in-folder.ts';

const tools: ToolMaps = {
  run_command: { as: 'run_command', permission: 'external', fields: { command_line: 'command' }, needs: ['command'] },
  read_code: { as: 'read_file', permission: 'read', fields: { file_path: 'path' }, needs: ['path'] },
  write_code: { as: 'Edit', permission: 'write', needs: ['file_path'] },
};

/** Windsurf reads everything below a folder. */
const folders: ToolMaps = {
  read_code: { as: 'search_text', permission: 'read', fields: { file_path: 'path' }, needs: ['path'] },
};

const schema = z.looseObject({
  agent_action_name: z.string(),
  trajectory_id: z.string().min(1),
  tool_info: jsonObjectSchema.default({}),
});
const mcpSchema = z.looseObject({
  mcp_server_name: z.string().min(1),
  mcp_tool_name: z.string().min(1),
  mcp_tool_arguments: jsonObjectSchema.default({}),
});
const promptSchema = z.looseObject({ user_prompt: z.string() });

/** The hooks of Windsurf (docs.windsurf.com, "Cascade Hooks"). They deny events before an action, and cannot ask, change or add anything. */
export const windsurf = exitCodeHost('windsurf', 'Windsurf', read);

function read(raw: JsonObject): HostMoment {
  const { agent_action_name: event, trajectory_id: session, tool_info: info } = parsedFields(schema, raw);
  const moment = { event, session, can: {}, raw } as const;
  const action = event.replace(/^(?:pre|post)_/, '');
  if (!event.startsWith('pre_')) return { ...moment, kind: 'other' };
  if (action === 'user_prompt')
    return { ...moment, kind: 'prompt', prompt: parsedFields(promptSchema, info).user_prompt };
  if (action === 'mcp_tool_use') {
    const { mcp_server_name: server, mcp_tool_name: name, mcp_tool_arguments: input } = parsedFields(mcpSchema, info);
    const tool = { ...hostTool({}, name, input), name: `mcp__${server}__${name}` };
    return { ...moment, kind: 'call', use: toHostCall('Windsurf', { name, input }, tool) };
  }
  if (!Object.hasOwn(tools, action)) throw unknownEvent(event);
  const tool = hostTool(action === 'read_code' && isFolder(info['file_path']) ? folders : tools, action, info);
  const use = toHostCall(
    'Windsurf',
    { name: action, input: info },
    action === 'run_command' ? inFolder(tool, info, 'cwd', undefined) : tool,
  );
  return { ...moment, kind: 'call', use };
}

function isFolder(path: unknown): boolean {
  return typeof path === 'string' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
