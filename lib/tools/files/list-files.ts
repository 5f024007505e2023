import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { type ToolResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { openWorkspace, type Workspace, workspaceOptionsSchema } from '../workspace.ts';
import { describeFileErrors } from './describe-file-errors.ts';
import { matchGlob } from './match-glob.ts';
import { pathSchema } from './path-schema.ts';
import { formatPath } from './show-path.ts';
import { type Entry, walk } from './walk.ts';

const inputSchema = z.strictObject({
  path: pathSchema
    .optional()
    .meta({ default: '.' })
    .describe('Directory to list, relative to the workspace; "." is the workspace itself.'),
  recursive: z.boolean().optional().meta({ default: false }).describe('Lists subdirectories, too.'),
  glob: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Lists only matches, at any depth: "*.ts", "src/**/*.{ts,tsx}", relative to the listed directory.'),
});

const listFilesOptionsSchema = workspaceOptionsSchema.extend({
  /** Maximum number of entries per call. */
  maxEntries: z.int().positive().default(1000),
  /** Names of folders that are listed but not entered. */
  skip: z.array(z.string()).readonly().default(['node_modules', '.git']),
});

type Settings = z.output<typeof listFilesOptionsSchema>;
/** Input of the tool `list_files`. */
export type ListFilesInput = z.output<typeof inputSchema>;
/** Options of the tool `list_files`. */
export type ListFilesOptions = z.input<typeof listFilesOptionsSchema>;

/** The tool `list_files`. It lists a folder of the workspace, or all matching entries below it; at most `maxEntries`, without following links. */
export function listFilesTool(options: ListFilesOptions): Tool<ListFilesInput> {
  const settings = parseOptions('listFilesTool()', listFilesOptionsSchema, options);
  const workspace = openWorkspace(settings.root);
  return defineTool<ListFilesInput>({
    name: 'list_files',
    description: 'Lists files and directories of the workspace, one path per line. A directory ends with "/".',
    inputSchema,
    permission: 'read',
    idempotent: true,
    execute: (input, { signal }) =>
      describeFileErrors(input.path ?? '.', () => list(workspace, settings, input, signal)),
  });
}

async function list(
  workspace: Workspace,
  settings: Settings,
  input: ListFilesInput,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { path = '.', recursive = false, glob } = input;
  const wanted = glob === undefined ? () => true : matchGlob(glob);
  const lines: string[] = [];
  let notice = '';
  signal.throwIfAborted();
  for await (const entry of walk(workspace, path, {
    recursive: recursive || glob !== undefined,
    skip: settings.skip,
    signal,
  })) {
    signal.throwIfAborted();
    if (entry.kind === 'limit') notice = 'There are too many files; the rest is omitted. List a subdirectory.';
    else if (!wanted(entry.way)) continue;
    else if (lines.length === settings.maxEntries) {
      notice = `Only the first ${lines.length} are shown. List a subdirectory, or use a narrower glob.`;
      break;
    } else lines.push(formatPath(entry.path) + marks[entry.kind]);
  }
  if (notice) lines.push(`[${notice}]`);
  return toolResult(
    lines.join('\n') ||
      `[${JSON.stringify(path)} ${glob === undefined ? 'is empty' : 'contains nothing that matches'}.]`,
  );
}

const marks: Readonly<Record<Exclude<Entry['kind'], 'limit'>, string>> = {
  file: '',
  folder: '/',
  skipped: '/ (not entered)',
  link: ' (symbolic link)',
  special: ' (special file)',
  unreadable: '/ (could not be opened)',
};
