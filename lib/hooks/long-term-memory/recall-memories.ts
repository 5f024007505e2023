import { createTextIndex, type TextIndex } from '../full-text/text-index.ts';
import type { KeptMemories, Memory } from './memories.ts';

/** The maximum number of owners with an index in memory. */
const MOST_INDEXES = 32;

/** Finds the memories of an owner that best match a question, the best first; `wanted` filters them. */
export type FindMemories = (
  owner: string,
  kept: KeptMemories,
  question: string,
  limit: number,
  wanted: (memory: Memory) => boolean,
) => readonly Memory[];

/** Creates the search. An index is created when the memories have changed. */
export function createFindMemories(hook: string): FindMemories {
  const indexes = new Map<string, { readonly of: string; readonly texts: TextIndex }>();
  return (owner, { version, memories }, question, limit, wanted) => {
    // Memories also expire without a new version, and versions restart after all were deleted.
    const of = `${version} ${memories.length} ${memories.at(-1)?.id}`;
    let index = indexes.get(owner);
    if (index?.of !== of) {
      const texts = createTextIndex(hook);
      for (const [id, { text }] of memories.entries()) texts.add({ id, text, about: '' });
      index = { of, texts };
    }
    // Moves the last used one to the end.
    indexes.delete(owner);
    indexes.set(owner, index);
    for (const oldest of indexes.keys()) {
      if (indexes.size <= MOST_INDEXES) break;
      indexes.delete(oldest);
    }
    return index.texts
      .search(question, limit, (id) => wanted(memories[id] as Memory))
      .map(({ id }) => memories[id] as Memory);
  };
}
