import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { errorResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { openWorkspace, type Workspace, workspaceOptionsSchema } from '../workspace.ts';
import { atPlace } from './at-place.ts';
import type { Place } from './enter.ts';
import { openExact } from './open-exact.ts';
import { pathSchema } from './path-schema.ts';

const inputSchema = z.strictObject({
  path: pathSchema,
  content: z.string().describe('The complete new content of the file, as UTF-8 text.'),
});

/** Input of the tool `write_file`. */
export type WriteFileInput = z.output<typeof inputSchema>;
/** Options of the tool `write_file`. */
export type WriteFileOptions = z.input<typeof workspaceOptionsSchema>;

/** The tool `write_file`. It creates or replaces a file of the workspace atomically, without following links. */
export function writeFileTool(options: WriteFileOptions): Tool<WriteFileInput> {
  const workspace = openWorkspace(parseOptions('writeFileTool()', workspaceOptionsSchema, options).root);
  return defineTool<WriteFileInput>({
    name: 'write_file',
    description: 'Writes a text file of the workspace. Creates the file and its directories, or replaces its content.',
    inputSchema,
    permission: 'write',
    // The input is the complete content, so a second call leaves the same file.
    idempotent: true,
    execute: ({ path, content }, { signal }) =>
      atPlace(workspace, path, { links: 'refuse', create: true, signal }, async (place) => {
        const old = await lstat(place.at).catch(ignoreMissing);
        const objection = objectTo(old, JSON.stringify(path));
        if (objection) return errorResult(objection);
        return replace(workspace, place, Buffer.from(content, 'utf8'), old, signal);
      }),
  });
}

function objectTo(old: Stats | undefined, name: string): string | undefined {
  if (!old) return undefined;
  if (old.isDirectory()) return `${name} is a directory. Pass the path of a file.`;
  if (!old.isFile()) return `${name} is a special file, which cannot be written. Choose another path.`;
  if ((old.mode & 0o222) === 0)
    return `${name} is read-only. Choose another path, or ask the user to make it writable.`;
  return undefined;
}

// Renames, so that a new link, or a hard link from outside, is replaced and not written through.
async function replace(workspace: Workspace, place: Place, bytes: Buffer, old: Stats | undefined, signal: AbortSignal) {
  const name = `.hookline-${randomUUID()}.tmp`;
  const at = `${place.folder.below}/${name}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const handle = await openExact(workspace, at, join(place.folder.real, name), flags);
    try {
      if (old) await handle.chmod(old.mode & 0o777);
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(at, place.at);
  } catch (error) {
    await unlink(at).catch(ignoreMissing);
    throw error;
  }
  return toolResult(`${old ? 'Replaced' : 'Created'} ${JSON.stringify(place.path)} (${bytes.length} bytes).`);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
