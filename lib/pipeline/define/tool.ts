import type { Observable } from 'rxjs';
import { z } from 'zod';
import { messageOf, propertyOf, textOf } from '../../errors/describe-thrown.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { type Permission, permissionSchema, type ToolDescription } from '../../events/parts/tool-description.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import { type JsonObject, type JsonValue, jsonObjectSchema } from '../../events/values/json-value.ts';
import { type StandardSchema, toInputSchema } from '../../schemas/input-schema.ts';
import type { Logger } from '../logger.ts';
import type { RunChild } from './hook-context.ts';

/** The output of a tool: a result, its text, any JSON value (sent to the model as JSON), or nothing (the joined chunks). */
export type ToolOutput = ToolResult | JsonValue | object | undefined | void;

/** An item of a streamed output: a string is an acting chunk, a `ToolResult` is the result. */
export type ToolItem = string | ToolResult;

/** The return value of a tool's `execute`. */
export type ToolReturn = ToolOutput | Promise<ToolOutput> | Observable<ToolItem> | AsyncIterable<ToolItem>;

/** The second argument of `execute`. */
export interface ToolContext {
  readonly run: RunInfo;
  /** The judged call. Sealed values are shown as labels. */
  readonly toolCall: ToolCall;
  /** Aborts when the run or the call is cancelled. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Emits progress. Resolves when the hooks have processed it: await it for back-pressure instead of an overflow. */
  emit(content: string): Promise<void>;
  /** Runs a sub-agent under this run's hooks. Its events stream inside this run's. Emits its postCall. */
  readonly child: RunChild;
}

/** A tool that the model can call. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** A zod schema, another Standard Schema, or a JSON Schema, for which the input type is a type argument. */
  readonly inputSchema: StandardSchema<unknown, Input> | JsonObject;
  /** The JSON Schema for models. Only needed if `inputSchema` cannot be converted. */
  readonly jsonSchema?: JsonObject;
  /** Default: `external`. */
  readonly permission?: Permission;
  /** Whether calls may run in parallel with any others. Default: only for tools with the permission `read`. */
  readonly parallel?: boolean;
  /** Whether repeating a call has no further effect. `agent.recover` runs such a call again, with the same id. Default: false. */
  readonly idempotent?: boolean;
  execute(input: Input, context: ToolContext): ToolReturn;
}

export const TOOL_NAME = /^[A-Za-z0-9_.:-]{1,128}$/;
const toolShape = z.looseObject({
  name: z.string().regex(TOOL_NAME, 'must be 1 to 128 letters, digits, "_", ".", ":" or "-"'),
  description: z.string(),
  jsonSchema: jsonObjectSchema.exactOptional(),
  permission: permissionSchema.exactOptional(),
  parallel: z.boolean().exactOptional(),
  idempotent: z.boolean().exactOptional(),
  execute: z.custom((value) => typeof value === 'function', 'must be a function'),
});

/** Checks a tool and infers its input type from the schema. */
export function defineTool<Input = JsonObject>(tool: Tool<Input>): Tool<Input> {
  const checked = toolShape.safeParse(tool);
  if (!checked.success) throw invalid(tool, z.prettifyError(checked.error));
  assertSpelling(tool);
  try {
    jsonSchemaOf(tool);
  } catch (thrown) {
    throw invalid(tool, `${messageOf(thrown)}.`);
  }
  return tool;
}

/** The JSON Schema for models. The schema is always read, to detect one that cannot be used. */
function jsonSchemaOf({ inputSchema, jsonSchema }: Pick<Tool, 'inputSchema' | 'jsonSchema'>): JsonObject {
  const schema = toInputSchema(inputSchema);
  return jsonSchema ?? schema.json();
}

function invalid(tool: unknown, issue: string): HooklineError {
  const name = propertyOf(tool, 'name');
  const shown = typeof name === 'string' ? JSON.stringify(name) : textOf(name ?? tool);
  return new HooklineError('TOOL_INVALID', `Tool ${shown}: ${issue}`);
}

/** Rejects misspelt fields. A tool may have its own fields, but with a misspelt `permission` it would be judged wrongly. */
function assertSpelling(tool: Pick<Tool, 'permission' | 'parallel' | 'idempotent'>): void {
  for (const name of ['permission', 'parallel', 'idempotent'] as const) {
    if (tool[name] !== undefined) continue;
    const misspelt = Object.keys(tool).find((key) => key !== name && nearestName(key, [name]));
    if (misspelt === undefined) continue;
    throw invalid(tool, `"${misspelt}" means nothing; did you mean "${name}"?`);
  }
}

/** Returns whether calls of the tool may run in parallel. False for an unknown tool. */
export function runsInParallel(tool: Pick<Tool, 'permission' | 'parallel'> | undefined): boolean {
  return tool !== undefined && (tool.parallel ?? tool.permission === 'read');
}

const descriptions = new WeakMap<Tool, ToolDescription>();

/** Returns the description of a tool for models. Created once per tool. */
export function describeTool(tool: Tool): ToolDescription {
  const known = descriptions.get(tool);
  if (known) return known;
  const made: ToolDescription = {
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool),
    permission: tool.permission ?? 'external',
  };
  descriptions.set(tool, made);
  return made;
}
