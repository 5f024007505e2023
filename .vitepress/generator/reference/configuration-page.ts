import { z } from 'zod';
import { configJsonSchema, hookKinds } from '../../../lib/config/index.ts';
import { hookEntrySchema } from '../../../lib/config/native-schema.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { builtIns, createCatalogue } from '../../../lib/hooks/index.ts';
import { optionTable } from '../option-table.ts';
import { write } from '../output.ts';

/** The fields of hookline.yaml, from its JSON Schema. The schema itself is a file of the site. */
export function configurationPage(): string {
  const schema = configJsonSchema(hookKinds(createCatalogue(builtIns)));
  write('public/hookline.schema.json', `${JSON.stringify(schema, null, 2)}\n`);
  const { hooks, ...properties } = schema['properties'] as Readonly<Record<string, JsonObject>>;
  const { description } = hooks as JsonObject;
  const file = {
    ...schema,
    properties: { ...properties, hooks: { type: 'object', description: description as string } },
  };
  return `# Configuration

The [guide](/guides/configuration.md) has examples. For completion in an editor, use the
[JSON Schema](/hookline.schema.json){target="_self"} of these tables. \`hookline schema\` prints it, too.

## File

${optionTable(file, new Map(), 'field')}
## Hook

Each entry of \`hooks\` has these fields. Every built-in hook [documents its options](/hooks/index.md).

${optionTable(z.toJSONSchema(hookEntrySchema, { io: 'input' }) as JsonObject, new Map(), 'field')}`;
}
