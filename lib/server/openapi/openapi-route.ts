import { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';
import { defineRoute } from '../http/route.ts';

/** Gives the document of all routes, this one included. */
export const openApiRoute = defineRoute({
  method: 'GET',
  path: '/api/openapi.json',
  right: 'any',
  summary: 'This document.',
  responses: { 200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.json()) } },
  handle: ({ c }, document: () => JsonObject) => c.json(document()),
});
