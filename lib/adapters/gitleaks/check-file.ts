import { nearestName } from '../../errors/nearest-name.ts';
import { type GitleaksFile, gitleaksFileSchema, knownNames } from './gitleaks-file.ts';
import type { Report } from './report.ts';

type Table = Readonly<Record<string, unknown>>;

/** The tables of a file as what they should be. Faults are reported, each with the rule in which it stands. */
export function checkFile(tables: Table, report: Report): GitleaksFile | undefined {
  noticeUnknown(tables, report);
  const parsed = gitleaksFileSchema.safeParse(tables);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) report.fault(`${place(path, tables)} ${message}.`);
    return undefined;
  }
  const ids = new Set<string>();
  for (const { id } of parsed.data.rules ?? []) {
    if (ids.has(id)) report.fault(`rule '${id}': another rule has the same id; rename one of them.`);
    ids.add(id);
  }
  return parsed.data;
}

/** `rule 'acme-token': entropy`, however deep in the rule. */
function place([first, index, ...rest]: readonly PropertyKey[], tables: Table): string {
  if (first !== 'rules' || typeof index !== 'number')
    return [first, index, ...rest].filter((part) => part !== undefined).join('.');
  const { id } = tablesOf(tables.rules)[index] ?? {};
  const rule = typeof id === 'string' && id !== '' ? `rule '${id}'` : `rule ${index + 1} (without an id)`;
  return [`${rule}:`, rest.join('.')].filter(Boolean).join(' ');
}

function noticeUnknown(tables: Table, report: Report): void {
  const look = (table: Table, known: readonly string[], where: string) => {
    for (const name of Object.keys(table).filter((key) => !known.includes(key))) {
      const near = nearestName(name, known);
      report.notice(`${where}'${name}' is not known and has no effect.${near ? ` Did you mean '${near}'?` : ''}`);
    }
  };
  const lookAtLists = (table: Table, where: string) => {
    for (const list of [...tablesOf([table.allowlist]), ...tablesOf(table.allowlists)])
      look(list, knownNames.allowlist, `${where}allowlist: `);
  };
  look(tables, knownNames.file, '');
  lookAtLists(tables, '');
  for (const extend of tablesOf([tables.extend])) look(extend, knownNames.extend, 'extend: ');
  for (const rule of tablesOf(tables.rules)) {
    look(rule, knownNames.rule, `rule '${rule.id}': `);
    lookAtLists(rule, `rule '${rule.id}': `);
  }
}

function tablesOf(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}
