import { createHash } from 'node:crypto';
import { HooklineError } from '../../../errors.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';

/** A tool of a host, and its name and fields in rules. */
export interface HostTool {
  /** Our name if we have the tool (`run_command`), otherwise the name of Claude Code (`Edit`) or of the host. */
  readonly name: string;
  readonly permission?: Permission;
  /** Returns the fields that hooks evaluate. Other fields pass unchanged. */
  toOurs(input: JsonObject): JsonObject;
  /** Returns the host's key for a field of ours. */
  keyOf(field: string): string;
  /** Undoes what `toOurs` added for rules. Default: nothing. `undefined` if that is impossible. */
  restore?(ours: JsonObject): JsonObject | undefined;
}

/** A call of a host as hooks see it. */
export interface HostCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** The tool name of the host. */
  readonly name: string;
  /** Converts a changed call back. Fields that hooks do not evaluate are unchanged. `undefined` if the host cannot run the call. */
  toTheirs(call: ToolCall): JsonObject | undefined;
}

/** A call as a host reports it. */
export interface ReportedCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly id?: string | undefined;
}

/** Returns a call in the form that hooks see. A call without an id gets one that is the same for the same call. */
export function toHostCall(host: string, { name, input, id }: ReportedCall, tool: HostTool): HostCall {
  const cameAs = sourcesOf(name, tool, input);
  const judged = new Set(cameAs.values());
  const unjudged = Object.entries(input).filter(([key]) => !judged.has(key));
  return {
    name,
    call: { id: id ?? idOf(name, input), name: tool.name, input: tool.toOurs(input) },
    tool: {
      name: tool.name,
      description: `The tool ${name} of ${host}.`,
      inputSchema: { type: 'object' },
      permission: tool.permission ?? 'external',
      execute: () => '',
    },
    toTheirs: (changed) => {
      const input = tool.restore ? tool.restore(changed.input) : changed.input;
      if (!input) return undefined;
      const fields = Object.entries(input).map(
        ([field, value]) => [cameAs.get(field) ?? tool.keyOf(field), value] as const,
      );
      // With two values for one field, the tool could run with the wrong one.
      const isClear = new Set(fields.map(([key]) => key)).size === fields.length;
      return changed.name === tool.name && isClear ? Object.fromEntries([...unjudged, ...fields]) : undefined;
    },
  };
}

/** Maps each field of our tool to its original key. Two keys for one field are rejected, because one would be evaluated and the other one run. */
function sourcesOf(name: string, tool: HostTool, input: JsonObject): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const [key, value] of Object.entries(input)) {
    for (const field of Object.keys(tool.toOurs({ [key]: value }))) {
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

function idOf(name: string, input: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson([name, input]))
    .digest('hex')
    .slice(0, 16);
}
