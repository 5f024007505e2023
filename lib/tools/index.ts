export { type DeleteFileInput, type DeleteFileOptions, deleteFileTool } from './delete-file.ts';
export { type ListFilesInput, type ListFilesOptions, listFilesTool } from './list-files.ts';
export { type ReadFileInput, type ReadFileOptions, readFileTool } from './read-file.ts';
export { type RunCommandInput, type RunCommandOptions, runCommandTool } from './run-command.ts';
export { type SearchTextInput, type SearchTextOptions, searchTextTool } from './search-text.ts';
export { type WorkspaceToolsOptions, workspaceTools } from './workspace-tools.ts';
export { type WriteFileInput, type WriteFileOptions, writeFileTool } from './write-file.ts';
