import { nearestName } from '../../errors/nearest-name.ts';
import { type GitleaksFile, gitleaksFileSchema, knownNames } from './gitleaks-file.ts';
import type { Report } from './report.ts';

type Table = Readonly<Record<string, unknown>>;

/** Validates the tables of a file. Each issue is reported with its rule. */
export function checkFile(tables: Table, report: Report): GitleaksFile | undefined {
  noticeUnknown(tables, report);
  const parsed = gitleaksFileSchema.safeParse(tables);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) report.problem(`${place(path, tables)} ${message}.`);
    return undefined;
  }
  const ids = new Set<string>();
  for (const { id } of parsed.data.rules ?? []) {
    if (ids.has(id)) report.problem(`rule '${id}': another rule has the same ID; rename one of them.`);
    ids.add(id);
  }
  return parsed.data;
}

/** Formats the path of an issue, such as `rule 'acme-token': entropy`. */
function place([first, index, ...rest]: readonly PropertyKey[], tables: Table): string {
  if (first !== 'rules' || typeof index !== 'number')
    return [first, index, ...rest].filter((part) => part !== undefined).join('.');
  const { id } = tablesOf(tables.rules)[index] ?? {};
  const rule = typeof id === 'string' && id !== '' ? `rule '${id}'` : `rule ${index + 1} (without an ID)`;
  return [`${rule}:`, rest.join('.')].filter(Boolean).join(' ');
}

function noticeUnknown(tables: Table, report: Report): void {
  const look = (table: Table, known: readonly string[], where: string) => {
    for (const name of Object.keys(table).filter((key) => !known.includes(key))) {
      const near = nearestName(name, known);
      report.notice(`${where}'${name}' is unknown and has no effect.${near ? ` Did you mean '${near}'?` : ''}`);
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
