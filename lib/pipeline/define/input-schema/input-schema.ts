import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { isThenable } from '../../flow/is-async.ts';
import { assertCheckable } from './check-json-schema.ts';

/** A misfit, and where it is. */
export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export type ParsedInput =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly InputIssue[] };

/** A schema of a call's input, whichever library it is of. */
export interface InputSchema {
  /** The input as the schema makes it; a promise only where the schema is asynchronous. */
  parse(input: unknown): ParsedInput | Promise<ParsedInput>;
  /** What models are told. Throws a plain error where the schema cannot tell it. */
  json(): JsonObject;
}

const known = new WeakMap<object, InputSchema>();

/** Reads a schema, once. Throws a plain error that says why it cannot be used. */
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
  const told = ({ success, data, error }: z.ZodSafeParseResult<unknown>): ParsedInput =>
    success ? { success, data } : { success, issues: error.issues };
  return {
    json: () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject,
    parse(input) {
      const parsed = parseZod(schema, input);
      return isThenable(parsed) ? Promise.resolve(parsed).then(told) : told(parsed);
    },
  };
}

function ofStandard(schema: StandardSchema): InputSchema {
  const standard = schema['~standard'];
  type Result = Awaited<ReturnType<typeof standard.validate>>;
  const told = (result: Result): ParsedInput => {
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
      // A library may have promises of its own, which need not chain.
      return isThenable(result) ? Promise.resolve(result).then(told) : told(result);
    },
  };
}

function jsonOf({ vendor, jsonSchema }: StandardSchema['~standard']): JsonObject {
  const way = 'Give the tool `jsonSchema` beside inputSchema: what models are told of its input';
  if (!jsonSchema) throw new Error(`the schema (${vendor}) cannot tell its JSON Schema. ${way}`);
  try {
    return jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject;
  } catch (thrown) {
    throw new Error(`the schema (${vendor}) cannot tell its JSON Schema: ${messageOf(thrown)}. ${way}`);
  }
}

function ofJsonSchema(json: JsonObject): InputSchema {
  if (json['type'] !== 'object') {
    throw new Error(
      'inputSchema must take an object, as the input of a call is one: a JSON Schema says type: "object"',
    );
  }
  assertCheckable(json);
  let checked: z.ZodType;
  try {
    checked = z.fromJSONSchema(json);
  } catch (thrown) {
    throw new Error(`inputSchema, a JSON Schema, cannot be checked: ${messageOf(thrown)}`);
  }
  return { ...ofZod(checked), json: () => json };
}

const notObjects: readonly string[] = [
  ...['string', 'number', 'int', 'boolean', 'bigint', 'symbol', 'null', 'undefined', 'void', 'never', 'nan', 'date'],
  ...['array', 'tuple', 'set', 'map', 'enum', 'literal', 'template_literal', 'file', 'function', 'promise'],
];

function assertMayTakeObject(schema: z.ZodType): void {
  if (!mayTakeObject(schema)) {
    throw new Error('inputSchema must take an object: that is what the input of a call is');
  }
}

function mayTakeObject(schema: z.ZodType): boolean {
  const { type, in: first, innerType } = schema.def as z.core.$ZodTypeDef & { in?: z.ZodType; innerType?: z.ZodType };
  if (type === 'pipe' && first) return mayTakeObject(first);
  // A catch takes anything, whatever it is around.
  if (innerType && type !== 'catch') return mayTakeObject(innerType);
  return !notObjects.includes(type);
}

/** What zod, valibot, arktype and others have in common (https://standardschema.dev), as far as tools need it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Newer libraries tell their JSON Schema themselves. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => object };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

type Parsed = z.ZodSafeParseResult<unknown>;

/** What is known of schemas: whether they need to be waited for. */
const needWaiting = new WeakMap<z.ZodType, boolean>();

/** `input` as `schema` makes it: at once, unless one of its refinements or transforms is asynchronous. */
export function parseZod(schema: z.ZodType, input: unknown): Parsed | Promise<Parsed> {
  if (waits(schema)) return schema.safeParseAsync(input);
  try {
    return schema.safeParse(input);
  } catch (thrown) {
    if (!(thrown instanceof z.core.$ZodAsyncError)) throw thrown;
    // A function that is not declared `async` and gives a promise all the same is known from now on.
    needWaiting.set(schema, true);
    return schema.safeParseAsync(input);
  }
}

/** A synchronous parse would begin what an `async` function does and drop its promise, and nobody would take its rejection. */
function waits(schema: z.ZodType): boolean {
  const known = needWaiting.get(schema);
  if (known !== undefined) return known;
  const found = holdsAsync(schema, new Set());
  needWaiting.set(schema, found);
  return found;
}

function holdsAsync(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value === 'function') return value.constructor.name === 'AsyncFunction';
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  const inner = (value as { _zod?: { def?: unknown } })._zod;
  if (inner) return holdsAsync(lazySchema(inner.def) ?? inner.def, seen);
  return Object.entries(Object.getOwnPropertyDescriptors(value)).some(([key, descriptor]) =>
    // Any other getter may run what its author has given: a default, say.
    holdsAsync(key === 'shape' ? (value as { shape?: unknown }).shape : descriptor.value, seen),
  );
}

function lazySchema(def: unknown): unknown {
  const { type, getter } = def as { type?: unknown; getter?: () => unknown };
  return type === 'lazy' ? getter?.() : undefined;
}
