import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { verifyAudit } from '../../../lib/hooks/audit-log/verify-audit.ts';
import { fakeContext } from '../fake-context.ts';
import { type AuditFolder, auditFolder, numbered, upTo } from './audit-folder.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 20_000 : 120;
const KEY = 'a key of this spec';

interface Written {
  readonly keyed: boolean;
  /** The writer of each record: the first or the second. */
  readonly turns: readonly boolean[];
  readonly maxBytes: number;
}

type Tampering =
  | { readonly kind: 'edit'; readonly at: number; readonly byte: number; readonly to: number }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number }
  | { readonly kind: 'insert'; readonly at: number; readonly line: string }
  | { readonly kind: 'copy'; readonly at: number; readonly from: number };

const written: fc.Arbitrary<Written> = fc.record({
  keyed: fc.boolean(),
  turns: fc.array(fc.boolean(), { minLength: 2, maxLength: 25 }),
  maxBytes: fc.constantFrom(2_000, 1_000_000),
});
const index = fc.nat(1_000);
const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.record({
    kind: fc.constant('edit' as const),
    at: index,
    byte: fc.nat(1_000),
    to: fc.integer({ min: 32, max: 126 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), at: index }),
  fc.record({ kind: fc.constant('swap' as const), at: index, with: index }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: index,
    line: fc.constantFrom('', 'x', '{"msg":"x"}', '{"chain":1}'),
  }),
  fc.record({ kind: fc.constant('copy' as const), at: index, from: index }),
);

/** The changed lines, or undefined if nothing changed or only the end was cut off. */
function tamper(lines: readonly string[], how: Tampering): string[] | undefined {
  const changed = [...lines];
  const at = how.at % lines.length;
  const line = lines[at] as string;
  if (how.kind === 'edit') {
    const byte = how.byte % line.length;
    changed[at] = line.slice(0, byte) + String.fromCharCode(how.to) + line.slice(byte + 1);
  } else if (how.kind === 'remove') {
    if (at === lines.length - 1) return undefined;
    changed.splice(at, 1);
  } else if (how.kind === 'swap') {
    const other = how.with % lines.length;
    [changed[at], changed[other]] = [changed[other] as string, line];
  } else if (how.kind === 'insert') {
    // An empty line is ignored. It shows only by the lines after the next one.
    if (how.line === '' && at > lines.length - 2) return undefined;
    changed.splice(how.line === '' ? at : how.at % (lines.length + 1), 0, how.line);
  } else changed.splice(at + 1, 0, lines[how.from % lines.length] as string);
  return changed.join('\n') === lines.join('\n') ? undefined : changed;
}

/** Lets two writers, which act as two processes, write by turns. */
function write(audit: AuditFolder, { keyed, turns, maxBytes }: Written): void {
  const options = { file: audit.file, chain: true, rotate: { maxBytes }, ...(keyed && { chainKey: KEY }) };
  const [first, second] = [auditLog(options), auditLog(options)];
  for (const [number, turn] of turns.entries()) (turn ? first : second).observe!(numbered(number), fakeContext());
}

describe('tampering with a chained audit', () => {
  it(`is detected for any line that is edited, removed, swapped or inserted, ${RUNS} times`, async function () {
    this.timeout(0);
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
    console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
    const taken = new Set<string>();
    await fc.assert(
      fc.asyncProperty(written, tampering, index, async (plan, how, which) => {
        const audit = auditFolder();
        try {
          write(audit, plan);
          const files = audit.files();
          const options = plan.keyed ? { key: KEY } : {};
          expect(await verifyAudit(files, options)).to.include({ whole: true, lines: plan.turns.length });
          expect(audit.numbers()).to.deep.equal(upTo(plan.turns.length));
          const file = files[which % files.length] as string;
          const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
          const changed = tamper(lines, how);
          if (!changed) return;
          for (const one of [how.kind, files.length > 1 ? 'rotated' : 'alone', plan.keyed ? 'keyed' : 'plain'])
            taken.add(one);
          writeFileSync(join(file), changed.map((line) => `${line}\n`).join(''));
          // Without its only line of a chain, a file is not a chained audit log.
          const whole = await verifyAudit(files, options).then(
            (verdict) => verdict.whole,
            ({ code }) => code !== 'INPUT_INVALID',
          );
          expect(whole, 'whole').to.equal(false);
        } finally {
          audit.remove();
        }
      }),
      { numRuns: RUNS, seed },
    );
    // Five kinds, and two of each other choice.
    expect(taken, 'kinds of tampering').to.have.property('size', 9);
  });
});
