import { errorResult, type ToolResult } from '../../events/parts/tool-result.ts';

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. list_files shows what is there.',
  EISDIR: 'is a folder. Give the path of a file in it.',
  ENOTDIR: 'goes through something that is not a folder. list_files shows what is there.',
  EACCES: 'may not be used: the system denies it. Choose another path or tell the user.',
  EPERM: 'may not be used: the system denies it. Choose another path or tell the user.',
  ELOOP: 'goes through too many symbolic links, or one that is just changing. Give the real path.',
  ENAMETOOLONG: 'is too long a name. Choose a shorter one.',
  ENOSPC: 'cannot be written: no space is left. Tell the user.',
  EROFS: 'cannot be written: the file system is read-only. Tell the user.',
};

/** What `action` comes to; what the system says against `path` becomes a result that tells the model what to do, anything else is thrown on. */
export async function tellFileErrors(path: string, action: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await action();
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException | undefined)?.code);
    if (!/^E[A-Z0-9]+$/.test(code)) throw error;
    return errorResult(`${JSON.stringify(path)} ${explanations[code] ?? `cannot be used: the system says ${code}.`}`);
  }
}
