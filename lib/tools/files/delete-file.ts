import { lstat, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { errorResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { openWorkspace, workspaceOptionsSchema } from '../workspace.ts';
import { atPlace } from './at-place.ts';
import { pathSchema } from './path-schema.ts';

const inputSchema = z.strictObject({ path: pathSchema });

/** Input of the tool `delete_file`. */
export type DeleteFileInput = z.output<typeof inputSchema>;
/** Options of the tool `delete_file`. */
export type DeleteFileOptions = z.input<typeof workspaceOptionsSchema>;

/** The tool `delete_file`. It removes one file of the workspace, never a folder. It removes a symbolic link, not its target. */
export function deleteFileTool(options: DeleteFileOptions): Tool<DeleteFileInput> {
  const workspace = openWorkspace(parseOptions('deleteFileTool()', workspaceOptionsSchema, options).root);
  return defineTool<DeleteFileInput>({
    name: 'delete_file',
    description: 'Deletes a file of the workspace. It does not delete directories.',
    inputSchema,
    permission: 'write',
    // Not idempotent: a second call would report that there is no file, or delete a new one.
    execute: ({ path }, { signal }) =>
      atPlace(workspace, path, { links: 'refuse', lastMayBeLink: true, signal }, async (place) => {
        if ((await lstat(place.at)).isDirectory()) {
          return errorResult(
            `${JSON.stringify(path)} is a directory. Pass the path of a file; directories cannot be deleted.`,
          );
        }
        await unlink(place.at);
        return toolResult(`Deleted ${JSON.stringify(place.path)}.`);
      }),
  });
}
