export { type LongTermMemory, longTermMemory } from './long-term-memory.ts';
export {
  type Exchange,
  type Extract,
  type LongTermMemoryOptions,
  longTermMemoryOptionsSchema,
} from './long-term-memory-options.ts';
export type { Memory, MemoryOwner } from './memories.ts';
