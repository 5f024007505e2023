import { z } from 'zod';
import { HooklineError } from '../../../../errors.ts';
import { type JsonObject, jsonObjectSchema } from '../../../../events/values/json-value.ts';
import { type HostTool, toHostCall } from '../../judge/host-call.ts';
import type { HostMoment } from '../../judge/host-moment.ts';
import { parsedFields, unknownEvent } from '../event-fields.ts';
import { exitCodeHost } from '../exit-code-host.ts';
import { hostTool, type ToolMap, type ToolMaps, unreadable } from '../host-tool.ts';

const shell: ToolMap = { as: 'run_command', permission: 'external', apart: ['summary'], needs: ['command'] };
const write: ToolMap = { as: 'write_file', permission: 'write', needs: ['path'] };
const tools: ToolMaps = { execute_bash: shell, shell, fs_write: write, write };

const schema = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().min(1).optional(),
  cwd: z.string().optional(),
  tool_name: z.string().min(1).optional(),
  tool_input: jsonObjectSchema.optional(),
  prompt: z.string().optional(),
});

/** The hooks of Kiro (kiro.dev, "Hooks"). Exit code 2 denies a call before it runs; other events have no denial. */
export const kiro = exitCodeHost('kiro', 'Kiro', read);

const OTHERS = ['agentSpawn', 'userPromptSubmit', 'postToolUse', 'stop'];

function read(raw: JsonObject): HostMoment {
  const { hook_event_name, session_id, cwd, tool_name: name, tool_input: input } = parsedFields(schema, raw);
  // From IDE 1.0 on, events are in Pascal case.
  const event = hook_event_name.replace(/^[A-Z]/, (first) => first.toLowerCase());
  // Events without a session belong to one session for each folder.
  const moment = { event, session: session_id ?? cwd ?? 'kiro', cwd, can: {}, raw };
  if (OTHERS.includes(event)) return { ...moment, kind: 'other' };
  if (event !== 'preToolUse') throw unknownEvent(event);
  if (name === undefined || input === undefined)
    throw new HooklineError('INPUT_INVALID', 'the event preToolUse has no "tool_name" or no "tool_input"');
  return { ...moment, kind: 'call', use: toHostCall('Kiro', { name, input }, toolOf(name, input)) };
}

function toolOf(name: string, input: JsonObject): HostTool {
  const [, server, tool] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  if (server !== undefined) return { ...hostTool({}, name, input), name: `mcp__${server}__${tool}` };
  if (name !== 'fs_read' && name !== 'read') return hostTool(tools, name, input);
  const paths = pathsOf(input);
  return {
    name: 'read_many_files',
    permission: 'read',
    toOurs: (given) => ('operations' in given || 'path' in given ? { paths } : given),
    keyOf: (field) => field,
  };
}

const path = z.string().min(1);
/** Each has a path, or a list of images. */
const operationSchema = z
  .looseObject({ path: path.optional(), image_paths: z.array(path).optional() })
  .transform(({ path, image_paths: images = [] }) => [...(path === undefined ? [] : [path]), ...images])
  .refine((paths) => paths.length > 0);
const operationsSchema = z.array(operationSchema).min(1);

function pathsOf({ operations, path }: JsonObject): readonly string[] {
  if (typeof path === 'string' && path !== '' && operations === undefined) return [path];
  const read = operationsSchema.safeParse(operations);
  if (read.success) return read.data.flat();
  throw unreadable('fs_read', '"operations[].path"');
}
