import { HooklineError } from '../../../errors.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { toOurs, toTheirs, workspaceToolTable } from '../../../permission-rules/tool-table.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';

const reading = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoRead'];
const writing = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'TodoWrite'];

/** A call of Claude Code as hooks see it, with our tool name if we have the tool. */
export interface HostCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** Converts the input back for Claude Code's tool. Fields that our tool does not have are unchanged. */
  toTheirs(call: ToolCall): JsonObject | undefined;
}

export function toHostCall(name: string, input: JsonObject, id: string): HostCall {
  const [ours] = Object.entries(workspaceToolTable).find(([, { as }]) => as === name) ?? [];
  const known = ours ?? name;
  const cameAs = sourcesOf(name, known, input);
  const judged = new Set(cameAs.values());
  const unjudged = Object.entries(input).filter(([key]) => !judged.has(key));
  const keyOf = (field: string) =>
    cameAs.get(field) ??
    Object.keys(ours ? toTheirs(workspaceToolTable, ours, { [field]: '' }).input : { [field]: '' })[0] ??
    field;
  return {
    call: { id, name: known, input: toOurs(workspaceToolTable, known, input) },
    tool: {
      name: known,
      description: `The tool ${name} of Claude Code.`,
      inputSchema: { type: 'object' },
      permission: permissionOf(name),
      execute: () => '',
    },
    toTheirs: (changed) => {
      const fields = Object.entries(changed.input).map(([field, value]) => [keyOf(field), value] as const);
      // With two values for one field, the tool could run with the wrong one.
      const isClear = new Set(fields.map(([key]) => key)).size === fields.length;
      return changed.name === known && isClear ? Object.fromEntries([...unjudged, ...fields]) : undefined;
    },
  };
}

/** Maps each field of our tool to its original key. Two keys for one field are rejected, because one would be evaluated and the other one run. */
function sourcesOf(name: string, ours: string, input: JsonObject): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const [key, value] of Object.entries(input)) {
    for (const field of Object.keys(toOurs(workspaceToolTable, ours, { [key]: value }))) {
      const other = sources.get(field);
      if (other !== undefined)
        throw new HooklineError(
          'INPUT_INVALID',
          `The call of ${name} sets "${field}" twice, as "${other}" and as "${key}".`,
        );
      sources.set(field, key);
    }
  }
  return sources;
}

function permissionOf(name: string): Permission {
  if (reading.includes(name)) return 'read';
  return writing.includes(name) ? 'write' : 'external';
}
