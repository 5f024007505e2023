import { HooklineError } from '../../../errors.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { toOurs, toTheirs, workspaceToolTable } from '../../../permission-rules/tool-table.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';

const reading = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoRead'];
const writing = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'TodoWrite'];

/** A call of Claude Code's as the hooks of a configuration know it: under our names, where we have the tool. */
export interface HostCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** An input as Claude Code's tool takes it; what our tool has no member for stays as it was. */
  toTheirs(call: ToolCall): JsonObject | undefined;
}

export function toHostCall(name: string, input: JsonObject, id: string): HostCall {
  const [ours = name] = Object.entries(workspaceToolTable).find(([, { as }]) => as === name) ?? [];
  refuseTwice(name, ours, input);
  const call = { id, name: ours, input: toOurs(workspaceToolTable, ours, input) };
  const there = toTheirs(workspaceToolTable, ours, call.input).input;
  const beside = Object.entries(input).filter(([key]) => !Object.hasOwn(there, key));
  return {
    call,
    tool: {
      name: ours,
      description: `The tool ${name} of Claude Code.`,
      inputSchema: { type: 'object' },
      permission: permissionOf(name),
      execute: () => '',
    },
    toTheirs: (changed) =>
      changed.name === ours
        ? { ...Object.fromEntries(beside), ...toTheirs(workspaceToolTable, ours, changed.input).input }
        : undefined,
  };
}

/** One of two members would be judged, and the other one run. */
function refuseTwice(name: string, ours: string, input: JsonObject): void {
  const seen = new Map<string, string>();
  for (const [key, value] of Object.entries(input)) {
    for (const member of Object.keys(toOurs(workspaceToolTable, ours, { [key]: value }))) {
      const other = seen.get(member);
      if (other !== undefined)
        throw new HooklineError(
          'INPUT_INVALID',
          `The call of ${name} says "${member}" twice, as "${other}" and as "${key}".`,
        );
      seen.set(member, key);
    }
  }
}

function permissionOf(name: string): Permission {
  if (reading.includes(name)) return 'read';
  return writing.includes(name) ? 'write' : 'external';
}
