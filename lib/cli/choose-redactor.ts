import { loadGitleaksRules } from '../adapters/gitleaks/index.ts';
import { usualRedactor } from '../hooks/usual-redactor.ts';
import { createRedactor } from '../redaction/create-redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { rulesNamed } from '../redaction/rules/rules-named.ts';

/** The redactor of the usual rules, those of a file in gitleaks' format added. `warn` is told what of the file has no effect. */
export function chooseRedactor(file: string | undefined, warn: (text: string) => void): Redactor {
  if (file === undefined) return usualRedactor();
  const { rules, notices, refused } = loadGitleaksRules(file);
  for (const notice of notices) warn(notice);
  for (const { id, reason, wayOut } of refused) warn(`${file}: rule '${id}' is left out: ${reason}; ${wayOut}`);
  const ids = new Set(rules.map(({ id }) => id));
  // Whoever writes a rule of the same name wants it in the place of ours.
  return createRedactor([...rules, ...rulesNamed().filter(({ id }) => !ids.has(id))]);
}
