import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defer, map } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { loadEngine } from '../full-text/load-engine.ts';
import { type HookHost, requirePart } from '../hook-host.ts';
import { createFolderIndex, type FolderIndex } from './folder-index.ts';
import { readIndex, writeIndex } from './index-file.ts';
import type { FolderSettings } from './rag-options.ts';
import type { Retriever } from './retriever.ts';
import { tellSkipped } from './tell-skipped.ts';
import { updateIndex } from './update-index.ts';

/** What of the host the retriever takes. */
export type FolderHost = Pick<HookHost, 'stateFolder' | 'workspace'>;

/**
 * Finds passages in the text files of a folder by their words. The index lies in the state folder of the host, else in memory; it is made
 * with the first question, and brought up to date by what has changed. A file that has not changed is not read again.
 */
export function folderRetriever(settings: FolderSettings, host: FolderHost, hook: string): Retriever {
  loadEngine(hook);
  const root = folderAt(settings.folder ?? requirePart(host, 'workspace', hook));
  const { stateFolder } = host;
  const file = stateFolder && resolve(stateFolder, 'rag', `${nameOf(root, settings)}.json`);
  if (ownOf(stateFolder) === root)
    throw new HooklineError(
      'OPTIONS_INVALID',
      `folder: ${JSON.stringify(root)} is where hooks keep their state; give another folder.`,
    );
  let index: FolderIndex | undefined;
  let updating: Promise<FolderIndex> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function open(log: Logger): Promise<FolderIndex> {
    try {
      return createFolderIndex(hook, file === undefined ? undefined : await readIndex(file));
    } catch (err) {
      log.warn({ err, file }, 'the index of the folder cannot be used, and is made anew');
      return createFolderIndex(hook);
    }
  }

  async function update(log: Logger): Promise<FolderIndex> {
    const current = index ?? (await open(log));
    const { changed, skipped } = await updateIndex(current, { root, own: ownOf(stateFolder) }, settings);
    index = current;
    lookedAt = performance.now();
    const { told } = current;
    current.told = tellSkipped(skipped, told, log);
    if ((changed || current.told !== told) && file !== undefined)
      // Only the next process misses it.
      await writeIndex(file, current.save()).catch((err: unknown) =>
        log.warn({ err, file }, 'the index of the folder cannot be written, and stays in memory'),
      );
    return current;
  }

  function upToDate(log: Logger): Promise<FolderIndex> {
    if (index && performance.now() - lookedAt < settings.refreshMs) return Promise.resolve(index);
    updating ??= update(log).finally(() => {
      updating = undefined;
    });
    return updating;
  }

  return (question, { limit, log, mayRead }) =>
    defer(() => upToDate(log)).pipe(
      map((current) => {
        const known = new Map<string, boolean>();
        const counts = (path: string): boolean => {
          const open = known.get(path) ?? mayRead(join(root, path));
          known.set(path, open);
          return open;
        };
        return current.search(question, limit, counts).map((one) => ({ ...one, path: join(root, one.source) }));
      }),
    );
}

function folderAt(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  throw new HooklineError('OPTIONS_INVALID', `folder: ${JSON.stringify(folder)} is not a folder; create it first.`);
}

/** What hooks keep, memories of other users among it: none of it is found. It may have been made just now. */
function ownOf(stateFolder: string | undefined): string | undefined {
  return stateFolder !== undefined && existsSync(stateFolder) ? realpathSync(stateFolder) : undefined;
}

function nameOf(root: string, { include, exclude, maxFiles, maxFileBytes }: FolderSettings): string {
  const said = JSON.stringify([root, include, exclude, maxFiles, maxFileBytes]);
  return createHash('sha256').update(said).digest('hex').slice(0, 32);
}
