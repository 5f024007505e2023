import { createRedactor } from '../redaction/create-redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { rulesNamed } from '../redaction/rules/rules-named.ts';

let made: Redactor | undefined;

/** The redactor of the own rules that are on by default, made once: its tables take a moment, and all who use it can share them. */
export function usualRedactor(): Redactor {
  made ??= createRedactor(rulesNamed());
  return made;
}
