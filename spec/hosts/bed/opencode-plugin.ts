/** A plugin file of opencode with the given hooks, as JavaScript. `log` writes a line that `hookInputs` of the run returns. */
export const opencodePlugin = (hooks: string): Record<string, string> => ({
  '.opencode/plugins/guard.js': `import { appendFileSync } from 'node:fs';
const log = (event, input, output) =>
  appendFileSync(process.env.HOST_BED + '/hook-inputs.jsonl', JSON.stringify(JSON.stringify({ event, input, output })) + '\\n');
export const Guard = async () => ({ ${hooks} });
`,
});
