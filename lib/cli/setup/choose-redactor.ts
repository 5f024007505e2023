import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { createRedactor } from '../../redaction/create-redactor.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { rulesNamed } from '../../redaction/rules/rules-named.ts';

/**
 * Returns the redactor for the text of a file (`-` for a text without a path). It has the default rules and the matching rules of `file` in gitleaks'
 * format. `warn` receives rules that have no effect.
 */
export function chooseRedactor(file: string | undefined, warn: (text: string) => void): (path: string) => Redactor {
  if (file === undefined) {
    const usual = usualRedactor();
    return () => usual;
  }
  // zod alone takes longer to load than a short text takes to scan.
  const { loadGitleaksRules }: typeof import('../../adapters/gitleaks/index.ts') = require('../../adapters/gitleaks');
  const { rules, inFiles, notices, refused } = loadGitleaksRules(file);
  for (const notice of notices) warn(notice);
  for (const { id, reason, fix } of refused) warn(`${file}: rule '${id}' is ignored: ${reason}; ${fix}`);
  const made = new Map<string, Redactor>();
  return (path) => {
    const place = path.replaceAll('\\', '/');
    const matching = path === '-' ? [] : inFiles.flatMap(({ rule, holdsIn }) => (holdsIn(place) ? [rule] : []));
    const all = [...rules, ...matching];
    const ids = new Set(all.map(({ id }) => id));
    const name = matching.map(({ id }) => id).join('\n');
    // A rule with the same name replaces the built-in one.
    const redactor = made.get(name) ?? createRedactor([...all, ...rulesNamed().filter(({ id }) => !ids.has(id))]);
    made.set(name, redactor);
    return redactor;
  };
}
