import { type Stamp, sameStamp } from '../files/stamp.ts';
import { createTextIndex } from '../full-text/text-index.ts';
import type { Passage } from './retriever.ts';
import { splitText } from './split-text.ts';
import type { IgnoreFile } from './walk-folder.ts';

interface KeptPiece {
  readonly id: number;
  readonly text: string;
  readonly lines: readonly [number, number];
  readonly title: string;
}

interface KeptFile extends Stamp {
  /** Absent: the file is binary. */
  readonly pieces?: readonly KeptPiece[];
}

/** An index of a folder as JSON data. */
export interface SavedIndex {
  readonly next: number;
  readonly files: readonly (readonly [path: string, file: KeptFile])[];
  readonly ignores: readonly (readonly [path: string, file: IgnoreFile])[];
  readonly engine: object;
  /** The message on skipped files. */
  readonly told: string;
}

/** The texts of a folder when they were read. */
export interface FolderIndex {
  readonly paths: readonly string[];
  /** The known `.gitignore` files. */
  ignores: ReadonlyMap<string, IgnoreFile>;
  /** The message on skipped files. */
  told: string;
  /** Whether this state of the file is indexed. */
  has(path: string, stamp: Stamp): boolean;
  isBinary(path: string): boolean;
  put(path: string, stamp: Stamp, text: string | undefined): void;
  remove(path: string): void;
  /** Returns the best passages until `limit` of them are in files for which `counts` returns true. The result contains the other ones, too. */
  search(question: string, limit: number, counts: (path: string) => boolean): readonly Passage[];
  /** Returns all data of files for which `counts` returns true. */
  save(counts?: (path: string) => boolean): SavedIndex;
}

/** Creates an index, from the result of `save` if given. Throws if that is damaged. */
export function createFolderIndex(hook: string, saved?: SavedIndex): FolderIndex {
  const files = new Map<string, KeptFile>(saved?.files);
  const pieces = new Map<number, { readonly path: string; readonly piece: KeptPiece }>();
  const texts = createTextIndex(hook, saved?.engine);
  let next = saved?.next ?? 0;
  for (const [path, file] of files) for (const piece of file.pieces ?? []) pieces.set(piece.id, { path, piece });

  const indexed = (path: string, { id, text, title }: KeptPiece) => ({ id, text, about: `${path} ${title}` });

  function remove(path: string): void {
    for (const piece of files.get(path)?.pieces ?? []) {
      texts.remove(indexed(path, piece));
      pieces.delete(piece.id);
    }
    files.delete(path);
  }

  return {
    ignores: new Map(saved?.ignores),
    told: saved?.told ?? '',
    get paths() {
      return [...files.keys()];
    },
    has(path, stamp) {
      const known = files.get(path);
      return known !== undefined && sameStamp(known, stamp);
    },
    isBinary: (path) => files.has(path) && files.get(path)?.pieces === undefined,
    put(path, stamp, text) {
      remove(path);
      if (text === undefined) return void files.set(path, stamp);
      const made = splitText(text, /\.(?:md|mdx|markdown)$/i.test(path)).map((piece) => ({ id: next++, ...piece }));
      for (const piece of made) {
        texts.add(indexed(path, piece));
        pieces.set(piece.id, { path, piece });
      }
      files.set(path, { ...stamp, pieces: made });
    },
    remove,
    search(question, limit, counts) {
      const passages: Passage[] = [];
      let left = limit;
      for (const { id, score } of texts.search(question, Number.POSITIVE_INFINITY)) {
        const found = pieces.get(id);
        if (!found) continue;
        const { text, lines, title } = found.piece;
        passages.push({ source: found.path, text, score, lines, ...(title !== '' && { title }) });
        if (counts(found.path)) left -= 1;
        if (left <= 0) break;
      }
      return passages;
    },
    save(counts = () => true) {
      const left = [...files.keys()].filter((path) => !counts(path));
      if (left.length > 0) {
        const copy = createFolderIndex(hook, structuredClone(this.save()));
        for (const path of left) copy.remove(path);
        return copy.save();
      }
      return { next, files: [...files], ignores: [...this.ignores], engine: texts.save(), told: this.told };
    },
  };
}
