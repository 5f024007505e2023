import { createRedactor } from '../redaction/create-redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { rulesNamed } from '../redaction/rules/rules-named.ts';

let made: Redactor | undefined;

/**
 * Returns the shared redactor of the built-in rules that are on by default. Its tables take a moment, so they are created for the first text: many
 * commands create hooks and run none.
 */
export function usualRedactor(): Redactor {
  return lazy;
}

const lazy: Redactor = {
  redact: (text, options) => ready().redact(text, options),
  stream: (options) => ready().stream(options),
};

function ready(): Redactor {
  made ??= createRedactor(rulesNamed());
  return made;
}
