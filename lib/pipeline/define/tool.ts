import type { Observable } from 'rxjs';
import { z } from 'zod';
import { memberOf, messageOf, textOf } from '../../errors/describe-thrown.ts';
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

/** What a tool gives: a result, its text, any JSON (told to the model as JSON), or nothing (the chunks, joined). */
export type ToolOutput = ToolResult | JsonValue | object | undefined | void;

/** An item of a streamed output: a string is an acting chunk, a `ToolResult` is the result. */
export type ToolItem = string | ToolResult;

/** What `execute` of a tool may return. */
export type ToolReturn = ToolOutput | Promise<ToolOutput> | Observable<ToolItem> | AsyncIterable<ToolItem>;

/** What a running tool is given. */
export interface ToolContext {
  readonly run: RunInfo;
  /** The call as it was judged; labels stand where values are sealed. */
  readonly toolCall: ToolCall;
  /** Aborts when the run is cancelled or the call is cut. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Sends a piece of progress. Resolves when the hooks have dealt with it: await it to be slowed down instead of overflowing. */
  emit(content: string): Promise<void>;
  /** Runs a sub-agent under this run's hooks; its events stream inside this run's. Emits its postCall. */
  readonly child: RunChild;
}

/** Something the agent can do. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** A schema of zod, or of any library that speaks Standard Schema, or a JSON Schema, whose input is typed as it is given. */
  readonly inputSchema: StandardSchema<unknown, Input> | JsonObject;
  /** What models are told of the input; only for a schema that cannot tell its own. */
  readonly jsonSchema?: JsonObject;
  /** `external` when left out. */
  readonly permission?: Permission;
  /** Calls may run beside others whatever they touch; by default only those of tools that read do. */
  readonly parallel?: boolean;
  execute(input: Input, context: ToolContext): ToolReturn;
}

const toolShape = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'must be 1 to 128 letters, digits, "_", ".", ":" or "-"'),
  description: z.string(),
  jsonSchema: jsonObjectSchema.exactOptional(),
  permission: permissionSchema.exactOptional(),
  parallel: z.boolean().exactOptional(),
  execute: z.custom((value) => typeof value === 'function', 'must be a function'),
});

/** Checks a tool and infers the type of its input from the schema. */
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

/** What models are told of the input. The schema is read either way: it may be one that cannot be used. */
function jsonSchemaOf({ inputSchema, jsonSchema }: Pick<Tool, 'inputSchema' | 'jsonSchema'>): JsonObject {
  const schema = toInputSchema(inputSchema);
  return jsonSchema ?? schema.json();
}

function invalid(tool: unknown, fault: string): HooklineError {
  const name = memberOf(tool, 'name');
  const shown = typeof name === 'string' ? JSON.stringify(name) : textOf(name ?? tool);
  return new HooklineError('TOOL_INVALID', `Tool ${shown}: ${fault}`);
}

/** A tool may have members of its own, but one that lacks `permission`, say, and has nearly that is judged as what it is not. */
function assertSpelling(tool: Pick<Tool, 'name' | 'permission' | 'parallel'>): void {
  for (const name of ['permission', 'parallel'] as const) {
    if (tool[name] !== undefined) continue;
    const misspelt = Object.keys(tool).find((key) => key !== name && nearestName(key, [name]));
    if (misspelt === undefined) continue;
    throw new HooklineError(
      'TOOL_INVALID',
      `Tool "${tool.name}": "${misspelt}" means nothing; did you mean "${name}"?`,
    );
  }
}

/** Whether calls of the tool may run beside others: it only reads, or says that they may. A tool that there is not may not. */
export function runsBeside(tool: Pick<Tool, 'permission' | 'parallel'> | undefined): boolean {
  return tool !== undefined && (tool.parallel ?? tool.permission === 'read');
}

const descriptions = new WeakMap<Tool, ToolDescription>();

/** The tool as a model is told of it; made once for each tool. */
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
