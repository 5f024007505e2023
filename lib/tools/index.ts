export { type RunCommandInput, type RunCommandOptions, runCommandTool } from './command/run-command.ts';
export { type DeleteFileInput, type DeleteFileOptions, deleteFileTool } from './files/delete-file.ts';
export { type ListFilesInput, type ListFilesOptions, listFilesTool } from './files/list-files.ts';
export { type ReadFileInput, type ReadFileOptions, readFileTool } from './files/read-file.ts';
export { type WriteFileInput, type WriteFileOptions, writeFileTool } from './files/write-file.ts';
export { type SearchTextInput, type SearchTextOptions, searchTextTool } from './search/search-text.ts';
export { type WorkspaceToolsOptions, workspaceTools } from './workspace-tools.ts';
