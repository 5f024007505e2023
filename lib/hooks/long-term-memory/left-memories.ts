import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { type HeldValue, type LeftFile, leftBehind } from './left-behind.ts';
import { type Memories, type Memory, type MemoryOwner, memorySchema } from './memories.ts';

const leftSchema = z.object({
  /** Several hooks may share a state folder. */
  hook: z.string().optional(),
  owner: z.object({ userId: z.string().optional(), sessionId: z.string().optional() }),
  memories: z.array(memorySchema),
});

/** Memories that are not in the store, and their owner. */
export interface Left {
  readonly owner: MemoryOwner;
  readonly memories: readonly Memory[];
}

/** The memories of one hook in files of the state folder. */
export interface LeftMemories {
  /** Keeps memories until they are in the store. `now` returns those that were not deleted in the meantime. */
  hold(owner: MemoryOwner, now: () => readonly Memory[]): HeldValue;
  /** The files of ended processes. `read` returns undefined for a removed file or one of another hook, and throws for a damaged one. */
  files(): readonly { read(): Left | undefined; done(): void }[];
  /** Lists the memories of an owner in such files. */
  list(owner: MemoryOwner): readonly Memory[];
  /**
   * Deletes one memory of an owner from the files, or all. Without `id`, it also deletes damaged files, which may belong to any owner. Returns the
   * number of memories.
   */
  forget(owner: MemoryOwner, id?: string): number;
}

/** Keeps memories of the hook `name` in `folder`. Without a folder, no files are written. */
export function leftMemories(folder: string | undefined, name: string, { isOf }: Memories): LeftMemories {
  const left = leftBehind<Left & { readonly hook: string }>(folder);

  function read(file: LeftFile): Left | undefined {
    const found = file.read();
    if (found === 'gone') return undefined;
    const { hook = name, ...kept } = parseOptions(
      'memories that an ended process left behind',
      leftSchema,
      found.value,
    );
    return hook === name ? kept : undefined;
  }

  function readable(file: LeftFile): Left | undefined | 'damaged' {
    try {
      return read(file);
    } catch {
      return 'damaged';
    }
  }

  return {
    hold: (owner, now) =>
      left.hold({
        hook: name,
        owner,
        get memories() {
          return now();
        },
      }),
    files: () => left.files().map((file) => ({ read: () => read(file), done: file.done })),
    list: (owner) =>
      left.files().flatMap((file) => {
        const kept = readable(file);
        return kept !== undefined && kept !== 'damaged' && isOf(kept.owner, owner) ? kept.memories : [];
      }),
    forget(owner, id) {
      let gone = 0;
      for (const file of left.files()) {
        const kept = readable(file);
        if (kept === 'damaged' && id === undefined) file.done();
        if (kept === undefined || kept === 'damaged' || !isOf(kept.owner, owner)) continue;
        const rest = kept.memories.filter((memory) => id !== undefined && memory.id !== id);
        gone += kept.memories.length - rest.length;
        if (rest.length === 0) file.done();
        else if (rest.length < kept.memories.length) file.write({ ...kept, hook: name, memories: rest });
      }
      return gone;
    },
  };
}
