import { z } from 'zod';

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

// Named types, because declarations of other schemas would otherwise repeat them inline.
export interface JsonValueSchema extends z.ZodType<JsonValue> {}
export interface JsonObjectSchema extends z.ZodType<JsonObject> {}

/** Schema of any JSON value. */
export const jsonValueSchema: JsonValueSchema = z.json();
/** Schema of a JSON object. */
export const jsonObjectSchema: JsonObjectSchema = z.record(z.string(), jsonValueSchema);
