import { z } from 'zod';
import { jsonObjectSchema } from '../events/values/json-value.ts';
import { toolFamilyNames } from './action/known-tools.ts';
import { hostPattern } from './match-domain.ts';
import { checkPathPattern, readPathPattern } from './path-pattern.ts';

const texts = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
/** Returns the texts that can match something: a deny rule that never matches would protect nothing. */
const textsBut = (faultOf: (text: string) => string | undefined) =>
  texts.superRefine((given, context) => {
    for (const text of [given].flat()) {
      const issue = faultOf(text);
      if (issue) context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} matches nothing: ${issue}` });
    }
  });

/** Returns why a text names no file or folder. */
function faultOfFile(text: string): string | undefined {
  const { own } = readPathPattern(text);
  if (/^\/?(?:~?|\.\.?)\/?$/.test(own)) return 'it names no file or folder';
  return /[*?[\]]/.test(text) ? 'it has a wildcard; use path' : undefined;
}

/** A rule about calls as an object; a call must match all of its fields. */
export const callRuleSchema = z
  .strictObject({
    tool: texts.default('*').describe('Names of tools; * and ? are wildcards.'),
    family: z
      .array(z.enum(toolFamilyNames))
      .min(1)
      .exactOptional()
      .describe('What the tools do, whatever their names are: shell, read, write, search, web, mcp, agent or other.'),
    permission: z
      .array(z.enum(['read', 'write', 'external']))
      .min(1)
      .exactOptional()
      .describe('What the tools do.'),
    input: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('Fields of the input, with a.b for nested ones, and their required values; * and ? are wildcards.'),
    exactly: jsonObjectSchema
      .exactOptional()
      .describe('The whole input: the same fields with the same values, without wildcards.'),
    command: texts.exactOptional().describe('Shell commands, as in Bash(..): npm test, npm run:*.'),
    path: textsBut((path) => (/^(in|out)side$/.test(path) ? undefined : checkPathPattern(path)))
      .exactOptional()
      .describe('Paths, as .gitignore patterns. "inside" and "outside" refer to the workspace, with links resolved.'),
    host: textsBut((host) => (hostPattern(host) === undefined ? 'it is not a host name' : undefined))
      .exactOptional()
      .describe('Hosts of the addresses: example.com, *.example.com.'),
    mentions: textsBut(faultOfFile)
      .exactOptional()
      .describe(
        'Files and folders that a call names, also anywhere in a shell command (best effort), through links, or as a part of a folder that it moves. Starts as a path; without wildcards.',
      ),
    unreadable: z
      .literal(true)
      .exactOptional()
      .describe('Calls of known tools whose command, path or address is missing or cannot be read.'),
    in: texts
      .exactOptional()
      .describe(
        'Fields of the input that path and host check, with a.b for nested ones (default: fields found by name and by shape).',
      ),
    words: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe('Words that occur anywhere in the tool name or the input.'),
    reason: z.string().regex(/\S/).exactOptional().describe('Reason of a denial (default: the rule itself).'),
  })
  .refine((rule) => rule.in === undefined || rule.path !== undefined || rule.host !== undefined, {
    path: ['in'],
    message: 'has no effect without path or host; add one of them, or use input',
  });

/** A rule about calls as an object. */
export type CallRule = z.output<typeof callRuleSchema>;
