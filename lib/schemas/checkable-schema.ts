import type { JsonObject } from '../events/values/json-value.ts';
import { toInputSchema } from './input-schema.ts';

/** Returns the schema, or one that accepts any object if Hookline cannot check the schema: the loop that recorded it may use another library. */
export function checkableSchema(schema: JsonObject): JsonObject {
  try {
    toInputSchema(schema);
    return schema;
  } catch {
    return { type: 'object' };
  }
}
