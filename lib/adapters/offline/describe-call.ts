import type { JsonObject } from '../../events/values/json-value.ts';

const MAX_LENGTH = 100;

/** Returns a short description of a call, such as "read README.md". */
export function describeCall(tool: string, input: JsonObject): string {
  const inputText = (name: string) => short(String(input[name] ?? ''));
  switch (tool) {
    case 'list_files':
      return `list the files in ${inputText('path')}`;
    case 'read_file':
      return `read ${inputText('path')}`;
    case 'search_text':
      return `search for ${JSON.stringify(inputText('query') || inputText('pattern'))} in ${inputText('path')}`;
    case 'write_file':
      return `write ${inputText('path')}`;
    case 'delete_file':
      return `delete ${inputText('path')}`;
    case 'run_command':
      return `run ${inputText('command')}`;
    default:
      return `call ${tool}`;
  }
}

/** Returns the text on one line, truncated to a readable length. */
export function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
