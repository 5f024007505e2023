import { z } from 'zod';
import { HooklineError } from '../../../../errors.ts';
import { type JsonObject, jsonObjectSchema, jsonValueSchema } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import { type HostTool, toHostCall } from '../../judge/host-call.ts';
import type { HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, refusalText, refuseWith } from '../answer-text.ts';
import type { Dialect } from '../dialect.ts';
import { parsedFields } from '../event-fields.ts';
import { hostTool, type ToolMaps } from '../host-tool.ts';
import { inFolder } from '../in-folder.ts';

const path = { filePath: 'path' };
const file = { filePath: 'file_path' };

const tools: ToolMaps = {
  bash: {
    as: 'run_command',
    permission: 'external',
    fields: { timeout: 'timeoutMs' },
    apart: ['description'],
    needs: ['command'],
  },
  read: { as: 'read_file', permission: 'read', fields: path, needs: ['path'] },
  write: { as: 'write_file', permission: 'write', fields: path, needs: ['path'] },
  edit: { as: 'Edit', permission: 'write', fields: file, needs: ['file_path'] },
  patch: { as: 'apply_patch', permission: 'write', fields: { patchText: 'command' }, needs: ['command'] },
  apply_patch: { as: 'apply_patch', permission: 'write', fields: { patchText: 'command' }, needs: ['command'] },
  list: { as: 'list_files', permission: 'read' },
  glob: { as: 'Glob', permission: 'read' },
  grep: { as: 'search_text', permission: 'read' },
  webfetch: { as: 'WebFetch', permission: 'external', needs: ['url'] },
  websearch: { as: 'WebSearch', permission: 'external' },
  task: { as: 'Agent', permission: 'external' },
};

const schema = z.looseObject({
  event: z.enum(['tool.execute.before', 'tool.execute.after', 'chat.message']),
  sessionID: z.string().min(1),
  callID: z.string().min(1).optional(),
  cwd: z.string().optional(),
  tool: z.string().min(1).optional(),
  args: jsonObjectSchema.optional(),
  output: jsonValueSchema.optional(),
  prompt: z.string().optional(),
  servers: z.array(z.string()).optional(),
});

/** The plugin of opencode that `--install` prints: it sends these events, and throws if the answer has a reason. */
export const opencode: Dialect = { host: 'opencode', title: 'opencode', read, write, refuse: refuseWith(denied) };

function read(raw: JsonObject): HostMoment {
  const { event, sessionID: session, cwd, tool, args, callID, output, prompt, servers } = parsedFields(schema, raw);
  const moment = { event, session, cwd, raw: callID === undefined ? raw : { ...raw, tool_use_id: callID } };
  if (event === 'chat.message') return { ...moment, kind: 'prompt', can: {}, prompt: prompt ?? '' };
  if (tool === undefined || args === undefined)
    throw new HooklineError('INPUT_INVALID', `the event ${event} has no "tool" or no "args"`);
  const use = toHostCall('opencode', { name: tool, input: args, id: callID }, toolOf(tool, args, cwd, servers));
  if (event === 'tool.execute.before') return { ...moment, kind: 'call', can: { rewrite: 'silent' }, use };
  return { ...moment, kind: 'result', can: { replace: true }, use, value: output ?? '', failed: false };
}

/** Tools of MCP are named `server_tool`, and no tool of opencode has this character. Names of servers may have it. */
function toolOf(
  name: string,
  args: JsonObject,
  cwd: string | undefined,
  servers: readonly string[] | undefined,
): HostTool {
  const tool = hostTool(tools, name, args);
  if (name === 'bash') return inFolder(tool, args, 'workdir', cwd);
  if (Object.hasOwn(tools, name) || !name.includes('_')) return tool;
  const server = serverOf(name, servers) ?? name.slice(0, name.indexOf('_'));
  return { ...tool, name: `mcp__${server}__${name.slice(server.length + 1)}` };
}

/** Returns the longest name of a configured server that the name of a tool starts with, in the spelling of opencode. */
function serverOf(name: string, servers: readonly string[] = []): string | undefined {
  return servers
    .map((server) => server.replaceAll(/[^a-zA-Z0-9_-]/g, '_'))
    .filter((server) => name.startsWith(`${server}_`))
    .toSorted((one, other) => other.length - one.length)[0];
}

function write(moment: HostMoment, { refused, input, output }: Verdict): HostAnswer {
  if (refused !== undefined) return refusalText({ refused: oneLine(refused) }, refused);
  if (moment.kind === 'call') return answerText(input ? { args: input } : {});
  return answerText(output ? { output: output.value as JsonObject } : {});
}

function denied(event: JsonObject | undefined, reason: string): HostAnswer {
  if (event?.['event'] === 'tool.execute.after') return answerText({ output: reason });
  return refusalText({ refused: oneLine(reason) }, reason);
}
