import { errorResult, type ToolResult } from '../../events/parts/tool-result.ts';

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. list_files lists the files.',
  EISDIR: 'is a directory. Pass the path of a file in it.',
  ENOTDIR: 'goes through something that is not a directory. list_files lists the files.',
  EACCES: 'is not accessible: the system denies access. Choose another path, or inform the user.',
  EPERM: 'is not accessible: the system denies access. Choose another path, or inform the user.',
  ELOOP: 'goes through too many symbolic links, or a changing one. Use the real path.',
  ENAMETOOLONG: 'is too long. Choose a shorter name.',
  ENOSPC: 'is not writable: the disk is full. Inform the user.',
  EROFS: 'is not writable: the file system is read-only. Inform the user.',
};

/** Runs `action`. A system error about `path` becomes a result with advice for the model. Other errors are rethrown. */
export async function describeFileErrors(path: string, action: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await action();
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException | undefined)?.code);
    if (!/^E[A-Z0-9]+$/.test(code)) throw error;
    return errorResult(
      `${JSON.stringify(path)} ${explanations[code] ?? `is not accessible: the system returned ${code}.`}`,
    );
  }
}
