import { z } from 'zod';
import { messageOf } from '../errors/describe-thrown.ts';
import { ignoreRejection, isThenable } from '../events/values/is-async.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { assertCheckable } from './check-json-schema.ts';

/** A validation issue, with its path. */
export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export type ParsedInput =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly InputIssue[] };

/** The input schema of a tool, from any schema library. */
export interface InputSchema {
  /** Returns the parsed input. The result is a promise only if the schema is asynchronous. */
  parse(input: unknown): ParsedInput | Promise<ParsedInput>;
  /** Returns the JSON Schema for models. Throws a plain error if the schema cannot provide it. */
  json(): JsonObject;
}

const known = new WeakMap<object, InputSchema>();

/** Reads a schema once. Throws a plain error with the reason if it cannot be used. */
export function toInputSchema(schema: StandardSchema | JsonObject): InputSchema {
  const made = known.get(schema) ?? read(schema);
  known.set(schema, made);
  return made;
}

function read(schema: StandardSchema | JsonObject): InputSchema {
  if (schema instanceof z.ZodType) return ofZod(schema);
  if (isStandardSchema(schema)) return ofStandard(schema);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error('inputSchema must be a schema of zod or of another library (Standard Schema), or a JSON Schema');
  }
  return ofJsonSchema(schema);
}

function ofZod(schema: z.ZodType): InputSchema {
  assertMayTakeObject(schema);
  const context: z.core.ParseContextInternal = { async: true };
  const toParsed = ({ value, issues }: z.core.ParsePayload): ParsedInput => {
    if (issues.length === 0) return { success: true, data: value };
    return {
      success: false,
      issues: issues.map((issue) => z.core.util.finalizeIssue(issue, context, z.core.config())),
    };
  };
  return {
    json: () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject,
    parse(input) {
      // It is synchronous if the whole schema is. `safeParse` would start the asynchronous part and drop its promise. Another copy of zod would not
      // recognize the class of its error.
      const parsed = schema._zod.run({ value: input, issues: [] }, context);
      return isThenable(parsed) ? Promise.resolve(parsed).then(toParsed) : toParsed(parsed);
    },
  };
}

function ofStandard(schema: StandardSchema): InputSchema {
  const standard = schema['~standard'];
  type Result = Awaited<ReturnType<typeof standard.validate>>;
  const toParsed = (result: Result): ParsedInput => {
    if (!result.issues) return { success: true, data: result.value };
    const issues = result.issues.map(({ message, path = [] }) => ({
      message,
      path: path.map((part) => (typeof part === 'object' ? part.key : part)),
    }));
    return { success: false, issues };
  };
  return {
    json: () => jsonOf(standard),
    parse(input) {
      const result = standard.validate(input);
      // A library may have its own promises, which may not support chaining.
      return isThenable(result) ? Promise.resolve(result).then(toParsed) : toParsed(result);
    },
  };
}

function jsonOf({ vendor, jsonSchema }: StandardSchema['~standard']): JsonObject {
  const way = 'Set `jsonSchema` of the tool, the JSON Schema for models';
  if (!jsonSchema) throw new Error(`the schema (${vendor}) has no JSON Schema. ${way}`);
  try {
    const json: unknown = jsonSchema.input({ target: 'draft-2020-12' });
    ignoreRejection(json);
    if (typeof json !== 'object' || json === null || isThenable(json))
      throw new Error('it returned no object synchronously');
    return json as JsonObject;
  } catch (thrown) {
    throw new Error(`the schema (${vendor}) has no JSON Schema: ${messageOf(thrown)}. ${way}`);
  }
}

function ofJsonSchema(json: JsonObject): InputSchema {
  if (json['type'] !== 'object') {
    throw new Error('inputSchema must describe an object, with type: "object" in a JSON Schema');
  }
  assertCheckable(json);
  let checked: z.ZodType;
  try {
    checked = z.fromJSONSchema(json);
  } catch (thrown) {
    throw new Error(`Hookline cannot check this JSON Schema as inputSchema: ${messageOf(thrown)}`);
  }
  return { ...ofZod(checked), json: () => json };
}

const notObjects: readonly string[] = [
  ...['string', 'number', 'int', 'boolean', 'bigint', 'symbol', 'null', 'undefined', 'void', 'never', 'nan', 'date'],
  ...['array', 'tuple', 'set', 'map', 'enum', 'literal', 'template_literal', 'file', 'function', 'promise'],
];

function assertMayTakeObject(schema: z.ZodType): void {
  if (!mayTakeObject(schema)) {
    throw new Error('inputSchema must describe an object, because the input of a call is an object');
  }
}

function mayTakeObject(schema: z.ZodType): boolean {
  const { type, in: first, innerType } = schema.def as z.core.$ZodTypeDef & { in?: z.ZodType; innerType?: z.ZodType };
  if (type === 'pipe' && first) return mayTakeObject(first);
  // A catch accepts any value, whatever schema it wraps.
  if (innerType && type !== 'catch') return mayTakeObject(innerType);
  return !notObjects.includes(type);
}

/** The common interface of zod, valibot, arktype and others (https://standardschema.dev), as far as tools need it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Newer libraries provide their JSON Schema. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => object };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Accepts every input: of a tool that validates it itself, or of one that the server does not run. */
export const anyInput: StandardSchema = {
  '~standard': { version: 1, vendor: 'hookline', validate: (value) => ({ value }) },
};

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Schemas of some libraries are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<StandardSchema>)['~standard']?.validate === 'function';
}
