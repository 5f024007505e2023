import { z } from 'zod';
import { eventRules, eventTypes } from '../../../lib/events/decisions/event-rules.ts';
import { eventBase } from '../../../lib/events/event-base.ts';
import { EVENT_FORMAT_VERSION, type EventType, hookEventSchema } from '../../../lib/events/hook-event.ts';
import { assistantMessageSchema, messageSchema } from '../../../lib/events/parts/message.ts';
import { toolCallSchema } from '../../../lib/events/parts/tool-call.ts';
import { toolResultSchema } from '../../../lib/events/parts/tool-result.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { docstringOf } from '../docstring.ts';
import { optionTable } from '../option-table.ts';
import { write } from '../output.ts';
import { slug } from '../slug.ts';
import { code } from '../table.ts';

/** Shapes that several events have, with the titles of their sections. */
const shapes: readonly (readonly [title: string, schema: z.ZodType])[] = [
  ['Message', messageSchema],
  ['Tool result', toolResultSchema],
  ['Tool call', toolCallSchema],
];

/** The fields of the nine events, from their schemas. The schema of all is a file of the site. */
export function eventsPage(): string {
  const all = z.toJSONSchema(hookEventSchema, { io: 'output' }) as JsonObject;
  write('public/events.schema.json', `${JSON.stringify(all, null, 2)}\n`);
  return [
    '# Events\n',
    `This is version ${EVENT_FORMAT_VERSION} of the event format. [Concepts](/concepts/index.md#the-nine-events) explains the events.`,
    'The format is also a [JSON Schema](/events.schema.json){target="_self"}.',
    'Some values have several forms. A field that is required there is required in each form that has it.\n',
    '## Fields of all events\n',
    docstringOf('lib/events/event-base.ts', 'eventBase'),
    '',
    optionTable(fieldsOf(z.object(eventBase)), new Map(), 'field'),
    ...shapes.map(([title, schema]) => `## ${title}\n\n${optionTable(fieldsOf(schema), new Map(), 'field')}`),
    ...hookEventSchema.options.map((schema, at) => section(eventTypes[at] as EventType, schema)),
  ].join('\n');
}

function section(type: EventType, schema: z.ZodType): string {
  const { properties, ...fields } = fieldsOf(schema) as { properties: Readonly<Record<string, JsonObject>> };
  const { type: _, decision, ...rest } = properties;
  const own = Object.entries(rest).filter(([name]) => !(name in eventBase));
  const { changes, decisions } = eventRules[type];
  const file = type === 'error' ? 'error-event' : type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [
    `## ${type}\n`,
    `${docstringOf(`lib/events/${file}.ts`, `${type === 'error' ? 'errorEvent' : type}Schema`)}\n`,
    `- A hook may change: ${listOf(changes)}`,
    `- A hook may decide: ${listOf(decisions)}`,
    '',
    optionTable(
      { ...fields, properties: { ...Object.fromEntries(own), ...(decision && { decision }) } },
      new Map(),
      'field',
    ),
  ].join('\n');
}

const listOf = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.map(code).join(', '));

/** The JSON Schema of an event. One with several forms has the fields of all of them. */
function fieldsOf(schema: z.ZodType): JsonObject {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'output' }), (key, value) =>
    key === '' ? value : readable(value),
  );
  const fields = JSON.parse(text.replaceAll('"oneOf":', '"anyOf":')) as JsonObject;
  const forms = (fields['anyOf'] ?? [fields]) as readonly { properties: JsonObject; required: readonly string[] }[];
  const properties: Record<string, JsonObject> = {};
  for (const form of forms) {
    for (const [name, property] of Object.entries(form.properties as Readonly<Record<string, JsonObject>>)) {
      const known = properties[name] ?? property;
      const same = JSON.stringify(known) === JSON.stringify(property);
      properties[name] = same
        ? property
        : {
            anyOf: [
              ...((known['anyOf'] as JsonObject[]) ?? [known]),
              ...((property['anyOf'] as JsonObject[]) ?? [property]),
            ],
          };
    }
  }
  const required = forms[0]?.required.filter((name) => forms.every((form) => form.required.includes(name))) ?? [];
  return { type: 'object', properties, required };
}

const links = new Map(shapes.map(([title, schema]) => [raw(schema), `[${title}](#${slug(title)})`]));
// A message of the model is one of the forms of a message.
links.set(raw(assistantMessageSchema), '[Message](#message)');

function raw(schema: z.ZodType): string {
  const { $schema, $defs, ...shape } = z.toJSONSchema(schema, { io: 'output' });
  return JSON.stringify(shape);
}

/** Names shapes that have a section. Definitions are recursive: any JSON value, and the cause of an error. */
function readable(value: unknown): unknown {
  const type = typeof value === 'object' ? links.get(JSON.stringify(value)) : undefined;
  if (type !== undefined) return { type };
  const name = (value as { $ref?: string } | null)?.$ref;
  if (name === undefined) return value;
  return { description: 'Any JSON value, or a value of the same form.' };
}
