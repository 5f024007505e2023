import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { createServer } from '../../../lib/server/create-server.ts';
import { openApi } from '../../../lib/server/openapi/openapi.ts';
import { runRoutes } from '../../../lib/server/runs/run-routes.ts';
import { version } from '../../../package.json';
import { optionTable } from '../option-table.ts';
import { write } from '../output.ts';
import { cell, code, table } from '../table.ts';

type Documents = Readonly<Record<string, JsonObject>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonObject;
}

/** Every route of the server, from its OpenAPI document. The document itself is a file of the site. */
export function httpPage(): string {
  // The table of routes is complete before the server has anything to serve.
  const { routes } = createServer({ extra: [runRoutes({} as never)] } as never);
  const document = openApi(routes, version);
  write('public/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
  const schemas = (document['components'] as Documents)['schemas'] as Documents;
  const operations = Object.entries(document['paths'] as Documents).flatMap(([path, methods]) =>
    Object.entries(methods as Documents).map(([method, operation]) => section(method, path, operation, schemas)),
  );
  return [
    '# HTTP\n',
    'The [guide](/guides/server.md) has examples. Generate a client from the [OpenAPI document](/openapi.json){target="_self"}.',
    'A running server has it at `/api/openapi.json`.\n',
    ...operations,
  ].join('\n');
}

function section(method: string, path: string, operation: JsonObject, schemas: Documents): string {
  const parameters = operation['parameters'] as unknown as readonly Parameter[];
  const body = bodyOf(operation['requestBody'] as JsonObject | undefined, schemas);
  return [
    `## ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, (brace) => `\\${brace}`)}\n`,
    `${cell(`${operation['summary']} ${operation['description']}`)}\n`,
    table(
      ['parameter', 'in', 'type', 'default', 'description'],
      parameters.map(({ name, in: place, required, description, schema }) => [
        code(name),
        place,
        cell(String(schema['type'] ?? '')),
        required ? 'required' : 'default' in schema ? code(JSON.stringify(schema['default'])) : '',
        cell(String(description ?? schema['description'] ?? '')),
      ]),
    ),
    ...(body ? ['Body:\n', body] : []),
    table(
      ['status', 'response', 'type'],
      Object.entries(operation['responses'] as Documents).map(([status, response]) => [
        status,
        cell(String(response['description'] ?? 'An error.')),
        Object.keys((response['content'] as Documents | undefined) ?? {})
          .map(code)
          .join(', '),
      ]),
    ),
  ].join('\n');
}

function bodyOf(body: JsonObject | undefined, schemas: Documents): string {
  const schema = ((body?.['content'] as Documents | undefined)?.['application/json'] as Documents | undefined)?.[
    'schema'
  ];
  const name = String(schema?.['$ref'] ?? '')
    .split('/')
    .at(-1) as string;
  return schema ? optionTable(schemas[name] ?? schema, new Map(), 'field') : '';
}
