import { createRedactor } from '../redaction/create-redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { rulesNamed } from '../redaction/rules/rules-named.ts';

let made: Redactor | undefined;

/**
 * The redactor of the own rules that are on by default, made once: its tables take a moment, and all who use it can share them. They are
 * made when there is a first text to redact, for many commands build hooks and run none of them.
 */
export function usualRedactor(): Redactor {
  return lazy;
}

const lazy: Redactor = {
  redact: (text) => ready().redact(text),
  stream: (options) => ready().stream(options),
};

function ready(): Redactor {
  made ??= createRedactor(rulesNamed());
  return made;
}
