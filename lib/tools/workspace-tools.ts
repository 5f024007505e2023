import type { Tool } from '../pipeline/define/tool.ts';
import { type RunCommandOptions, runCommandTool } from './command/run-command.ts';
import { deleteFileTool } from './files/delete-file.ts';
import { type ListFilesOptions, listFilesTool } from './files/list-files.ts';
import { type ReadFileOptions, readFileTool } from './files/read-file.ts';
import { writeFileTool } from './files/write-file.ts';
import { type SearchTextOptions, searchTextTool } from './search/search-text.ts';

/** Options of all workspace tools. Each tool reads its own. */
export type WorkspaceToolsOptions = ReadFileOptions & ListFilesOptions & SearchTextOptions & RunCommandOptions;

/** Creates the six workspace tools: read_file, list_files, search_text, write_file, delete_file and run_command. */
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
