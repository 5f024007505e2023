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
  const [ours] = Object.entries(workspaceToolTable).find(([, { as }]) => as === name) ?? [];
  const known = ours ?? name;
  const cameAs = sourcesOf(name, known, input);
  const judged = new Set(cameAs.values());
  const beside = Object.entries(input).filter(([key]) => !judged.has(key));
  const keyOf = (member: string) =>
    cameAs.get(member) ??
    Object.keys(ours ? toTheirs(workspaceToolTable, ours, { [member]: '' }).input : { [member]: '' })[0] ??
    member;
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
      const members = Object.entries(changed.input).map(([member, value]) => [keyOf(member), value] as const);
      // Of two values for one member, one would be run that nobody meant.
      const isClear = new Set(members.map(([key]) => key)).size === members.length;
      return changed.name === known && isClear ? Object.fromEntries([...beside, ...members]) : undefined;
    },
  };
}

/** By which key each member of our tool came. Two keys for one member are refused: one would be judged, and the other one run. */
function sourcesOf(name: string, ours: string, input: JsonObject): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const [key, value] of Object.entries(input)) {
    for (const member of Object.keys(toOurs(workspaceToolTable, ours, { [key]: value }))) {
      const other = sources.get(member);
      if (other !== undefined)
        throw new HooklineError(
          'INPUT_INVALID',
          `The call of ${name} says "${member}" twice, as "${other}" and as "${key}".`,
        );
      sources.set(member, key);
    }
  }
  return sources;
}

function permissionOf(name: string): Permission {
  if (reading.includes(name)) return 'read';
  return writing.includes(name) ? 'write' : 'external';
}
