import { z } from 'zod';
import { hookEventSchema } from '../../events/hook-event.ts';
import { messageSchema } from '../../events/parts/message.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { protocolMessages } from './protocol-messages.ts';

/** Returns the JSON Schema of protocol 2 (draft 2020-12): a field for each method, with `params` and `result`. */
export function protocolSchema(): JsonObject {
  const named = z.registry<{ id: string }>();
  named.add(hookEventSchema, { id: 'HookEvent' });
  for (const [id, schema] of Object.entries({
    RunInfo: runInfoSchema,
    Message: messageSchema,
    ToolCall: toolCallSchema,
  }))
    named.add(schema, { id });
  const methods = Object.entries(protocolMessages).map(([method, parts]) => [method, z.object(parts)]);
  const { properties, $defs } = z.toJSONSchema(z.object(Object.fromEntries(methods)), {
    io: 'input',
    metadata: named,
    override({ zodSchema, jsonSchema }) {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  return JSON.parse(
    JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Hookline process hooks, protocol 2',
      properties,
      $defs,
    }),
  );
}
