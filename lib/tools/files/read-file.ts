import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { errorResult, type ToolResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { openWorkspace, workspaceOptionsSchema } from '../workspace.ts';
import { atPlace } from './at-place.ts';
import { isBinary } from './is-binary.ts';
import { type OpenFile, openFile } from './open-file.ts';
import { pathSchema } from './path-schema.ts';
import { type ReadLines, readLines } from './read-lines.ts';

// A default in the schema would make another call of one that hooks have judged before it was parsed.
const inputSchema = z.strictObject({
  path: pathSchema,
  offset: z.int().positive().optional().meta({ default: 1 }).describe('First line to read, from 1.'),
  limit: z.int().positive().optional().describe('Number of lines to read (default: as many as the size limit allows).'),
});

const readFileOptionsSchema = workspaceOptionsSchema.extend({
  /** Maximum number of bytes per call. */
  maxBytes: z
    .int()
    .min(4)
    .default(256 * 1024),
});

/** Input of the tool `read_file`. */
export type ReadFileInput = z.output<typeof inputSchema>;
/** Options of the tool `read_file`. */
export type ReadFileOptions = z.input<typeof readFileOptionsSchema>;

/** The tool `read_file`. It returns text of the workspace, whole or by lines, at most `maxBytes`. It does not read special files. */
export function readFileTool(options: ReadFileOptions): Tool<ReadFileInput> {
  const { root, maxBytes } = parseOptions('readFileTool()', readFileOptionsSchema, options);
  const workspace = openWorkspace(root);
  return defineTool<ReadFileInput>({
    name: 'read_file',
    description: `Reads a text file of the workspace. Returns at most ${maxBytes} bytes; use offset and limit to read more.`,
    inputSchema,
    permission: 'read',
    idempotent: true,
    execute: (input, { signal }) =>
      atPlace(workspace, input.path, { links: 'follow', signal }, async (place) => {
        const file = await openFile(workspace, place);
        if (!file)
          return errorResult(`${JSON.stringify(input.path)} is a directory or a special file. Pass a text file.`);
        return read(file, input, maxBytes, signal).finally(() => file.handle.close());
      }),
  });
}

async function read(
  { handle, stats }: OpenFile,
  { path, offset = 1, limit = Infinity }: ReadFileInput,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const name = JSON.stringify(path);
  const sample = await handle.read(Buffer.alloc(8192), 0, 8192, 0);
  const read = await readLines(handle, { offset, limit, maxBytes, signal });
  if (isBinary(sample.buffer.subarray(0, sample.bytesRead)) || read.bytes.includes(0)) {
    return errorResult(
      `${name} is not text (${stats.size} bytes). Use run_command with a program that understands it.`,
    );
  }
  if (read.bytes.length > 0) return toolResult(read.bytes.toString('utf8') + noticeOf(read, name, stats.size));
  if (offset === 1) return toolResult(`[${name} is empty.]`);
  return errorResult(`${name} ends before line ${offset}. Use a smaller offset.`);
}

function noticeOf(read: ReadLines, name: string, size: number): string {
  const [first, last] = [read.before + 1, read.before + read.lines];
  if (read.cut)
    return `\n[Line ${first} of ${name} is cut after ${read.bytes.length} bytes; continue with offset ${last + 1}.]`;
  if (read.more)
    return `\n[Lines ${first} to ${last} of ${name} (${size} bytes in all); continue with offset ${last + 1}.]`;
  return '';
}
