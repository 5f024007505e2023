import type { JsonObject } from '../../events/values/json-value.ts';

export type ToolName = 'list_files' | 'read_file' | 'search_text' | 'write_file' | 'delete_file' | 'run_command';

/** Maps a plain request to a tool call. The groups of `pattern` have the names of the input fields. */
export interface Rule {
  readonly tool: ToolName;
  readonly pattern: RegExp;
  /** Input fields that the request may omit. */
  readonly defaults?: JsonObject;
}

/** The first matching rule counts. */
export const rules: readonly Rule[] = [
  {
    tool: 'list_files',
    pattern:
      /^(?:(?:list|ls)(?: me)?(?: all)?(?: the)?(?: files| contents| folder| directory)*|show(?: me)?(?: all)?(?: the)? files|(?:what|which) files are(?: there)?)(?:(?: in| of| under| inside)?(?: the)?(?: folder| directory)? (?<path>\S+?))?(?: folder| directory)?$/i,
    defaults: { path: '.' },
  },
  {
    tool: 'read_file',
    pattern: /^(?:read|open|show|print|display|cat)(?: me)?(?: the)?(?: file)? (?!(?:me|it|this|that)$)(?<path>\S+)$/i,
  },
  { tool: 'read_file', pattern: /^what(?: is|'s) in(?: the)?(?: file)? (?<path>\S+)$/i },
  { tool: 'search_text', pattern: /^search (?<path>\S+) for (?<query>.+)$/i },
  {
    tool: 'search_text',
    pattern:
      /^(?:look for|(?:search|grep|find)(?: for)?) (?<query>.+?)(?: (?:in|under|inside)(?: the)?(?: folder| directory| file)? (?<path>\S+))?$/i,
    defaults: { path: '.' },
  },
  {
    tool: 'write_file',
    pattern: /^(?:write|save|put) (?<content>.+?) (?:to|into|in)(?: the)?(?: file)? (?<path>\S+)$/i,
  },
  {
    tool: 'write_file',
    pattern: /^(?:create|make|write)(?: a| the)?(?: file)? (?<path>\S+) with(?: the text)? (?<content>.+)$/i,
  },
  { tool: 'delete_file', pattern: /^(?:delete|remove|rm)(?: the)?(?: file)? (?!(?:it|this|that|them)$)(?<path>\S+)$/i },
  { tool: 'run_command', pattern: /^(?:run|execute)(?: the command)? (?<command>.+)$/i },
];

/** One example request for each tool, for the model's help text. */
export const examples: readonly string[] = [
  'list the files in samples',
  'read README.md',
  'search for HookPriority in lib',
  'write "hello" to notes.txt',
  'delete notes.txt',
  'run npm --version',
];
