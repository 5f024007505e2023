import { catchError, map, of } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { errorResult, toolResult } from '../../events/parts/tool-result.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import type { SessionMemory } from './session-memory.ts';

const inputSchema = z.object({
  id: z.string().describe('ID from the shortened result.'),
  offset: z.int().nonnegative().default(0).describe('Offset of the first character.'),
  length: z.int().positive().max(20_000).default(4_000).describe('Number of characters to read.'),
});

/** Creates the tool that reads an offloaded result, only of its own session. */
export function readResultTool(name: string, memory: () => SessionMemory): Tool<z.output<typeof inputSchema>> {
  return defineTool({
    name,
    description: 'Reads a part of an earlier tool result that was shortened.',
    inputSchema,
    permission: 'read',
    execute: ({ id, offset, length }, { run }) =>
      memory()
        .read(run, id)
        .pipe(
          map((text) => {
            if (text === undefined) return errorResult(`There is no result with the ID ${id} in this session.`);
            if (offset >= text.length && text.length > 0)
              return errorResult(`offset must be less than ${text.length}, the length of the result.`);
            const end = Math.min(offset + length, text.length);
            return toolResult(`[Characters ${offset} to ${end} of ${text.length}.]\n${text.slice(offset, end)}`);
          }),
          catchError((thrown) => of(errorResult(`Cannot read the result: ${messageOf(thrown)}`))),
        ),
  });
}
