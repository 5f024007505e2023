import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { errorResult, type ToolResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { startDeadline } from '../files/deadline.ts';
import { describeFileErrors } from '../files/describe-file-errors.ts';
import { matchGlob } from '../files/match-glob.ts';
import { pathSchema } from '../files/path-schema.ts';
import { openWorkspace, type Workspace, workspaceOptionsSchema } from '../workspace.ts';
import { searchFiles } from './search-files.ts';
import { startSearcher } from './start-searcher.ts';

const inputSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .describe('Text to find within a line, or a regular expression with regex: true.'),
  regex: z
    .boolean()
    .optional()
    .meta({ default: false })
    .describe('Treats pattern as a JavaScript regular expression, applied to each line.'),
  ignoreCase: z.boolean().optional().meta({ default: false }).describe('Ignores case.'),
  path: pathSchema
    .optional()
    .meta({ default: '.' })
    .describe('Directory or file to search, relative to the workspace.'),
  glob: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Searches only matching files, such as "*.ts" or "src/**/*.md".'),
});

const searchTextOptionsSchema = workspaceOptionsSchema.extend({
  /** Maximum number of lines per call. */
  maxResults: z.int().positive().default(200),
  /** Maximum size of a searched file in bytes. Larger files are skipped. */
  maxFileBytes: z
    .int()
    .positive()
    .default(2 * 1024 * 1024),
  /** Maximum duration of a search in milliseconds. */
  searchMs: z.int().positive().max(600_000).default(10_000),
  /** Names of folders that are not searched. */
  skip: z.array(z.string()).readonly().default(['node_modules', '.git']),
});

type SearchSettings = z.output<typeof searchTextOptionsSchema>;
/** Input of the tool `search_text`. */
export type SearchTextInput = z.output<typeof inputSchema>;
/** Options of the tool `search_text`. */
export type SearchTextOptions = z.input<typeof searchTextOptionsSchema>;

/** The tool `search_text`. It returns matching lines of text files in the workspace, at most `maxResults`, within `searchMs`. */
export function searchTextTool(options: SearchTextOptions): Tool<SearchTextInput> {
  const settings = parseOptions('searchTextTool()', searchTextOptionsSchema, options);
  const workspace = openWorkspace(settings.root);
  return defineTool<SearchTextInput>({
    name: 'search_text',
    description: 'Finds text in the files of the workspace. Returns "path:line: text" for each matching line.',
    inputSchema,
    permission: 'read',
    idempotent: true,
    execute: (input, { signal }) => {
      const expression = toExpression(input);
      if (typeof expression === 'string') return errorResult(expression);
      return describeFileErrors(input.path ?? '.', () => search(workspace, settings, input, expression, signal));
    },
  });
}

function toExpression({ pattern, regex, ignoreCase }: SearchTextInput): RegExp | string {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  try {
    return new RegExp(source, ignoreCase ? 'i' : '');
  } catch (error) {
    return `${(error as Error).message}. Correct the pattern, or search for plain text with regex: false.`;
  }
}

async function search(
  workspace: Workspace,
  settings: SearchSettings,
  { path = '.', glob }: SearchTextInput,
  expression: RegExp,
  signal: AbortSignal,
): Promise<ToolResult> {
  signal.throwIfAborted();
  const deadline = startDeadline(signal, settings.searchMs);
  const searcher = startSearcher(expression, deadline.signal);
  try {
    const wanted = glob === undefined ? () => true : matchGlob(glob);
    const found = await searchFiles(workspace, path, { ...settings, wanted, searcher, deadline });
    signal.throwIfAborted();
    const text = [...found.lines, ...found.notices.map((notice) => `[${notice}]`)].join('\n');
    return found.stuck ? errorResult(text) : toolResult(text || '[No matches.]');
  } finally {
    deadline.release();
    await searcher.stop();
  }
}
