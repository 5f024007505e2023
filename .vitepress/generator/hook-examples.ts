import { inspect } from 'node:util';
import { stringify } from 'yaml';
import { returnTypeOf } from './docstring.ts';
import { factoryOf, fileOfFactory } from './factories.ts';

/** A hook in a configuration. */
export function yamlExample(hook: string, options: object | undefined): string {
  return block('yaml', stringify({ hooks: { [hook]: { type: hook, ...(options && { options }) } } }));
}

/** The entry points of hooks that have their own. */
const ENTRIES: Readonly<Record<string, string>> = {
  'long-term-memory': 'hookline/hooks/long-term-memory',
  otel: 'hookline/otel',
  rag: 'hookline/hooks/rag',
};

/** A hook in code, with the same options. */
export function codeExample(hook: string, options: object = {}): string {
  const factory = factoryOf(hook);
  const entry = ENTRIES[hook] ?? 'hookline/hooks';
  // JSON Schemas are the second form of a schema in code.
  const argument = hook === 'structured-output' ? (options as { schema: object }).schema : options;
  const written =
    Object.keys(argument).length === 0
      ? ''
      : inspect(argument, { depth: null, breakLength: 90, compact: 3 }).replaceAll('[ ', '[').replaceAll(' ]', ']');
  // Some factories return an object with the hook and methods about all runs.
  const made =
    returnTypeOf(fileOfFactory(factory), factory) === 'Hook' ? `${factory}(${written})` : `${factory}(${written}).hook`;
  const lines = [
    "import { createPipeline } from 'hookline';",
    `import { ${factory} } from '${entry}';`,
    '',
    `const pipeline = createPipeline([${made}]);`,
  ];
  return block('ts', lines.join('\n'));
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
