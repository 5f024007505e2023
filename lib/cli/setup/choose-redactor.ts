import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { createRedactor } from '../../redaction/create-redactor.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { rulesNamed } from '../../redaction/rules/rules-named.ts';

/**
 * Gives the redactor for the text of a file (`-` for one that has no path): that of the usual rules, those of `file` in gitleaks' format added, as
 * far as they hold there. `warn` is told what of the rules has no effect.
 */
export function chooseRedactor(file: string | undefined, warn: (text: string) => void): (path: string) => Redactor {
  if (file === undefined) {
    const usual = usualRedactor();
    return () => usual;
  }
  // zod alone takes longer to load than a short text to scan.
  const { loadGitleaksRules }: typeof import('../../adapters/gitleaks/index.ts') = require('../../adapters/gitleaks');
  const { rules, inFiles, notices, refused } = loadGitleaksRules(file);
  for (const notice of notices) warn(notice);
  for (const { id, reason, wayOut } of refused) warn(`${file}: rule '${id}' is ignored: ${reason}; ${wayOut}`);
  const made = new Map<string, Redactor>();
  return (path) => {
    const place = path.replaceAll('\\', '/');
    const fitting = path === '-' ? [] : inFiles.flatMap(({ rule, holdsIn }) => (holdsIn(place) ? [rule] : []));
    const all = [...rules, ...fitting];
    const ids = new Set(all.map(({ id }) => id));
    const name = fitting.map(({ id }) => id).join('\n');
    // Whoever writes a rule of the same name wants it in the place of ours.
    const redactor = made.get(name) ?? createRedactor([...all, ...rulesNamed().filter(({ id }) => !ids.has(id))]);
    made.set(name, redactor);
    return redactor;
  };
}
