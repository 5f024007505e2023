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

/** Memories that are not in the store, and whose they are. */
export interface Left {
  readonly owner: MemoryOwner;
  readonly memories: readonly Memory[];
}

/** The memories of one hook that are in files of the state folder instead of the store. */
export interface LeftMemories {
  /** Keeps memories safe until they are in the store; `now` gives those that were not forgotten meanwhile. */
  hold(owner: MemoryOwner, now: () => readonly Memory[]): HeldValue;
  /** The files of ended processes. `read` gives undefined for a file that is gone or another hook's, and throws for a damaged one. */
  files(): readonly { read(): Left | undefined; done(): void }[];
  /** The memories of an owner that are in such files. */
  list(owner: MemoryOwner): readonly Memory[];
  /** Takes one memory of an owner out of the files, or all. Without `id` damaged files go too: they may be anyone's. Gives how many there were. */
  forget(owner: MemoryOwner, id?: string): number;
}

/** Keeps memories of the hook `name` in `folder`; without one, none are left behind. */
export function leftMemories(folder: string | undefined, name: string, { isOf }: Memories): LeftMemories {
  const left = leftBehind<Left & { readonly hook: string }>(folder);

  function read(file: LeftFile): Left | undefined {
    const found = file.read();
    if (found === 'gone') return undefined;
    const { hook = name, ...kept } = parseOptions('what an ended process has left behind', leftSchema, found.value);
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
