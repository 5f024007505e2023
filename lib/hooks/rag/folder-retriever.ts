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
import type { RetrieveRequest, Retriever } from './retriever.ts';
import { updateIndex } from './update-index.ts';
import type { SkipReason, Walked } from './walk-folder.ts';

/** The parts of the host that the retriever uses. */
export type FolderHost = Pick<HookHost, 'stateFolder' | 'workspace'>;

type Asking = Pick<RetrieveRequest, 'log' | 'mayRead'>;

/**
 * Finds passages in the text files of a folder by their words. The index is in the state folder of the host, or else in memory. It is created for the
 * first question, and updated with changed files only. The state folder contains no text of files that the updating run may not read.
 */
export function folderRetriever(settings: FolderSettings, host: FolderHost, hook: string): Retriever {
  loadEngine(hook);
  const root = folderAt(settings.folder ?? requirePart(host, 'workspace', hook));
  const { stateFolder } = host;
  const file = stateFolder && resolve(stateFolder, 'rag', `${nameOf(root, settings)}.json`);
  if (ownOf(stateFolder) === root)
    throw new HooklineError(
      'OPTIONS_INVALID',
      `folder: ${JSON.stringify(root)} contains the state of hooks; use another directory.`,
    );
  let index: FolderIndex | undefined;
  let updating: Promise<FolderIndex> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function open(log: Logger): Promise<FolderIndex> {
    try {
      return createFolderIndex(hook, file === undefined ? undefined : await readIndex(file));
    } catch (err) {
      log.warn({ err, file }, 'the index of the directory is invalid and is rebuilt');
      return createFolderIndex(hook);
    }
  }

  async function update({ log, mayRead }: Asking): Promise<FolderIndex> {
    const isOpen = (path: string) => mayRead(join(root, path));
    const current = index ?? (await open(log));
    const isTakenUp = index === undefined && !current.paths.every(isOpen);
    const { changed, skipped } = await updateIndex(current, { root, own: ownOf(stateFolder) }, settings);
    index = current;
    lookedAt = performance.now();
    const { told } = current;
    current.told = reportSkipped(skipped, told, log);
    if ((changed || isTakenUp || current.told !== told) && file !== undefined)
      // Only the next process needs it.
      await writeIndex(file, current.save(isOpen)).catch((err: unknown) =>
        log.warn({ err, file }, 'the index of the directory is not writable and stays in memory'),
      );
    return current;
  }

  function upToDate(asking: Asking): Promise<FolderIndex> {
    if (index && performance.now() - lookedAt < settings.refreshMs) return Promise.resolve(index);
    updating ??= update(asking).finally(() => {
      updating = undefined;
    });
    return updating;
  }

  return (question, { limit, log, mayRead }) =>
    defer(() => upToDate({ log, mayRead })).pipe(
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
  throw new HooklineError('OPTIONS_INVALID', `folder: ${JSON.stringify(folder)} is not a directory; create it first.`);
}

/** Returns the folder of the hooks' own files, such as memories of other users. It is excluded, even if it was created just now. */
function ownOf(stateFolder: string | undefined): string | undefined {
  return stateFolder !== undefined && existsSync(stateFolder) ? realpathSync(stateFolder) : undefined;
}

function nameOf(root: string, { include, exclude, maxFiles, maxFileBytes }: FolderSettings): string {
  const options = JSON.stringify([root, include, exclude, maxFiles, maxFileBytes]);
  return createHash('sha256').update(options).digest('hex').slice(0, 32);
}

const words: Readonly<Record<SkipReason, string>> = {
  ignored: 'ignored',
  link: 'links that lead out of the directory, or are broken',
  special: 'not regular files',
  tooLarge: 'too large',
  unreadable: 'not readable',
  tooMany: 'more than maxFiles',
  binary: 'binary',
};

/** The maximum number of names per reason. */
const NAMED = 5;

/** Logs the skipped files of a folder with the reasons, unless the message equals `lastReport`. Returns the message. */
function reportSkipped(skipped: Walked['skipped'], lastReport: string, log: Logger): string {
  const kinds = (Object.keys(words) as SkipReason[]).flatMap((reason) => {
    const paths = skipped.filter((one) => one.reason === reason).map(({ path }) => path);
    if (paths.length === 0) return [];
    const more = paths.length > NAMED ? ', ..' : '';
    return [`${paths.length} ${words[reason]} (${paths.slice(0, NAMED).join(', ')}${more})`];
  });
  const message = kinds.join('; ');
  if (message === lastReport || message === '') return message;
  // Ignored files are skipped on purpose, so they need no warning.
  const level = skipped.some(({ reason }) => reason !== 'ignored') ? 'warn' : 'info';
  log[level]({ code: 'rag-skipped' }, `of the directory was skipped: ${message}`);
  return message;
}
