import type { Command } from 'commander';
import { configJsonSchema } from '../../config/config-json-schema.ts';
import { loadKinds } from '../../config/load-config.ts';
import { protocolSchema } from '../../process-hooks/index.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';

const schemas = {
  config: async (files: readonly string[]) => configJsonSchema(await loadKinds(files)),
  protocol: async () => protocolSchema(),
};
const names = Object.keys(schemas) as (keyof typeof schemas)[];

interface Flags {
  readonly config: readonly string[];
  readonly json?: boolean;
}

/** `hookline schema`: prints the JSON Schema of a format. */
export function schema(command: Command): void {
  command
    .argument('[of]', `schema to print (${names.join(', ')})`, choice(names), 'config')
    .option('--config <file>', 'also the kinds of hooks that modules of this file export (repeatable)', append, [])
    .option('--json', 'print on one line')
    .addHelpText(
      'after',
      `
For completion and checks in an editor: write the schema to a file, and name it in the configuration
by "$schema": "./hookline.schema.json".

Examples:
  hookline schema > hookline.schema.json
  hookline schema --config hookline.yaml > hookline.schema.json
  hookline schema protocol --json
`,
    )
    .action(async (of: keyof typeof schemas, { config, json = false }: Flags) => {
      process.stdout.write(`${JSON.stringify(await schemas[of](config), null, json ? undefined : 2)}\n`);
    });
}
