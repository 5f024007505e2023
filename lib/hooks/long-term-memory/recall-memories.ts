import { createTextIndex, type TextIndex } from '../full-text/text-index.ts';
import type { KeptMemories, Memory } from './memories.ts';

/** The memories of so many owners stay indexed. */
const MOST_INDEXES = 32;

/** Finds those of an owner's memories that have most to do with a question, the best first; `wanted` says which count. */
export type FindMemories = (
  owner: string,
  kept: KeptMemories,
  question: string,
  limit: number,
  wanted: (memory: Memory) => boolean,
) => readonly Memory[];

/** Makes what finds memories; an index is made when the memories have changed. */
export function createFindMemories(hook: string): FindMemories {
  const indexes = new Map<string, { readonly of: string; readonly texts: TextIndex }>();
  return (owner, { version, memories }, question, limit, wanted) => {
    // Memories also go because they are too old, without another version; and versions begin anew where all were forgotten.
    const of = `${version} ${memories.length} ${memories.at(-1)?.id}`;
    let index = indexes.get(owner);
    if (index?.of !== of) {
      const texts = createTextIndex(hook);
      for (const [id, { text }] of memories.entries()) texts.add({ id, text, about: '' });
      index = { of, texts };
    }
    // Who was asked for last stays longest.
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
