import { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';
import { problemAnswer } from '../config/config-schemas.ts';
import { defineRoute, type Route, type RouteResponse } from '../http/route.ts';
import { createSchemaCollector, type SchemaCollector } from './schema-collector.ts';

/** Creates the OpenAPI 3.1 document from the table of routes that the server registers. */
export function openApi(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const schemas = createSchemaCollector();
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  const problem = schemas.add(problemAnswer, 'output');
  return {
    openapi: '3.1.0',
    info: { title: 'Hookline', version },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'Each token has its own rights.' } },
      schemas: { Problem: problem, ...schemas.named },
      responses: {
        Problem: { description: 'The request was rejected.', ...json({ $ref: '#/components/schemas/Problem' }) },
      },
    },
  };
}

function operationOf(route: Route, schemas: SchemaCollector): JsonObject {
  const right = route.right === 'any' ? 'Requires a token.' : `Requires the right "${route.right}".`;
  const answers = Object.entries(route.responses).map(([status, response]) => [status, responseOf(response, schemas)]);
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^a-z0-9]+(.?)/gi, (_, c: string) => c.toUpperCase())}`,
    summary: route.summary,
    description: route.description === undefined ? right : `${route.description} ${right}`,
    'x-right': route.right,
    parameters: parametersOf(route, schemas),
    ...(route.body && { requestBody: { required: true, ...json(schemas.add(route.body, 'input')) } }),
    responses: { ...Object.fromEntries(answers), default: { $ref: '#/components/responses/Problem' } },
  };
}

function parametersOf({ path, query, headers = {} }: Route, schemas: SchemaCollector): JsonObject[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: String(name),
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const schema = query ? schemas.add(query, 'input') : {};
  const inQuery = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>).map(
    ([name, property]) => ({
      name,
      in: 'query',
      required: ((schema['required'] ?? []) as string[]).includes(name),
      schema: property,
    }),
  );
  const inHeaders = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function responseOf(
  { description, schema, contentType, headers = {} }: RouteResponse,
  schemas: SchemaCollector,
): JsonObject {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...((schema || contentType) && json(schema ? schemas.add(schema, 'output') : { type: 'string' }, contentType)),
  };
}

function json(schema: JsonObject, contentType = 'application/json') {
  return { content: { [contentType]: { schema } } };
}

/** Returns the document of all routes, including this one. */
export const openApiRoute = defineRoute({
  method: 'GET',
  path: '/api/openapi.json',
  right: 'any',
  summary: 'Returns this document.',
  responses: { 200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.json()) } },
  handle: ({ c }, document: () => JsonObject) => c.json(document()),
});
