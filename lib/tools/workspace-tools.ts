import type { Tool } from '../pipeline/tool.ts';
import { deleteFileTool } from './delete-file.ts';
import { type ListFilesOptions, listFilesTool } from './list-files.ts';
import { type ReadFileOptions, readFileTool } from './read-file.ts';
import { type RunCommandOptions, runCommandTool } from './run-command.ts';
import { type SearchTextOptions, searchTextTool } from './search-text.ts';
import { writeFileTool } from './write-file.ts';

/** The options of all workspace tools together; each tool takes its own. */
export type WorkspaceToolsOptions = ReadFileOptions & ListFilesOptions & SearchTextOptions & RunCommandOptions;

/** The six workspace tools for one folder: read_file, list_files, search_text, write_file, delete_file and run_command. */
export function workspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  return [
    readFileTool(options),
    listFilesTool(options),
    searchTextTool(options),
    writeFileTool(options),
    deleteFileTool(options),
    runCommandTool(options),
  ];
}
