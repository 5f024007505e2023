import type { Command } from 'commander';
import { configJsonSchema, hookKinds } from '../../config/index.ts';
import { builtIns, createCatalogue } from '../../hooks/index.ts';
import { protocolSchema } from '../../process-hooks/index.ts';
import { choice } from '../options/choice.ts';

const schemas = {
  config: () => configJsonSchema(hookKinds(createCatalogue(builtIns))),
  protocol: () => protocolSchema(),
};
const names = Object.keys(schemas) as (keyof typeof schemas)[];

/** `hookline schema`: prints the JSON Schema of a format. */
export function schema(command: Command): void {
  command
    .argument('[of]', `schema to print (${names.join(', ')})`, choice(names), 'config')
    .option('--json', 'print on one line')
    .addHelpText(
      'after',
      `
For completion and checks in an editor: write the schema to a file, and name it in the configuration
by "$schema": "./hookline.schema.json".

Examples:
  hookline schema > hookline.schema.json
  hookline schema protocol --json
`,
    )
    .action((of: keyof typeof schemas, { json = false }: { json?: boolean }) => {
      process.stdout.write(`${JSON.stringify(schemas[of](), null, json ? undefined : 2)}\n`);
    });
}
