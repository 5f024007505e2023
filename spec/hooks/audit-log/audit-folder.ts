import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { type AuditLogOptions, auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { rotatedFiles } from '../../../lib/hooks/audit-log/rotated-files.ts';
import { tempFolder } from '../../temp-folder.ts';
import { fakeContext } from '../fake-context.ts';
import { calling } from '../sample-events.ts';

/** A folder with one audit log. */
export interface AuditFolder {
  readonly folder: string;
  readonly file: string;
  /** Its files, oldest first. */
  files(): string[];
  names(): string[];
  /** The numbers of the records, in order. */
  numbers(): number[];
  /** Writes records of these numbers with a new hook, at `time`. */
  write(numbers: readonly number[], options: AuditLogOptions, time?: number): void;
  remove(): void;
}

export const NOON = Date.UTC(2026, 10, 21, 12);
export const DAY = 86_400_000;

/** The event of record `number`. */
export function numbered(number: number, time = NOON): SettledEvent {
  return { ...calling('bash', { number }), time, seq: number };
}

export function auditFolder(): AuditFolder {
  const folder = tempFolder('audit');
  const file = join(folder, 'audit.jsonl');
  const files = () => [
    ...rotatedFiles(file).map(({ path }) => path),
    ...(readdirSync(folder).includes('audit.jsonl') ? [file] : []),
  ];
  return {
    folder,
    file,
    files,
    names: () => readdirSync(folder).sort(),
    numbers: () =>
      files().flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).args.number),
      ),
    write(numbers, options, time) {
      const hook = auditLog({ file, ...options });
      for (const number of numbers) hook.observe!(numbered(number, time), fakeContext());
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
