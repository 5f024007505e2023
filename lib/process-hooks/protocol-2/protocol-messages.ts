import { z } from 'zod';
import { EVENT_FORMAT_VERSION, hookEventSchema } from '../../events/hook-event.ts';
import { chunkBatchSchema, chunkReplySchema, discardSchema } from './chunk-batch.ts';
import { hostMethods } from './host-methods.ts';

/** Fields that protocol 2 adds to those of protocol 1, by method. `hook.*` stands for all methods of protocol 1 except hello. */
export const protocolMessages = {
  'hook.hello': {
    params: z.looseObject({
      name: z.string(),
      version: z.literal(1),
      modes: z.array(z.enum(['observe', 'llm', 'tool', 'approve', 'chunks'])).optional(),
      protocols: z.array(z.int()),
    }),
    result: z.looseObject({ protocol: z.literal(2) }),
  },
  'hook.*': {
    params: z.looseObject({ event: hookEventSchema, format: z.literal(EVENT_FORMAT_VERSION) }),
  },
  'hook.approve_tool': {
    result: z.union([
      z.looseObject({ approved: z.boolean(), reason: z.string().optional() }),
      z.looseObject({ suspended: z.literal(true), prompt: z.string().min(1) }),
    ]),
  },
  'hook.chunks': { params: chunkBatchSchema, result: chunkReplySchema },
  'hook.discard': { params: discardSchema },
  'hook.cancel': { params: z.strictObject({ id: z.int().positive(), reason: z.string() }) },
  'host.log': { params: hostMethods['host.log'], result: z.strictObject({}) },
  'host.state.get': { params: hostMethods['host.state.get'], result: z.strictObject({ value: z.json() }) },
  'host.state.set': { params: hostMethods['host.state.set'], result: z.strictObject({}) },
  'host.message': { params: hostMethods['host.message'], result: z.strictObject({}) },
} as const;
