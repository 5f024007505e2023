import { z } from 'zod';

/** Anything that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Schema of any JSON value. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json();
/** Schema of a JSON object. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema);
