import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { ownRules } from '../../../lib/redaction/index.ts';

/** Long specs run in `npm run soak`. */
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

const room = join(__dirname, '../../../lib/redaction');

/** Text that makes expressions backtrack: repetitions of a repeating text, and a last character that does not match. */
const PUMPS = [
  '11.11',
  '1.1 ',
  'a-',
  'x',
  'pass',
  'passwordpassword',
  '1.',
  'a.b',
  '::',
  '[',
  '{{',
  '*',
  'ab_',
  '-',
  '  ',
  '%41',
  'é',
  'A1',
];
const ENDS = ['', '! ', '\0', 'é', '('];

/** Returns the expressions of a file that the native engine runs. Those of rules, and those passed to `finder`, become automata. */
function nativeExpressions(file: string): ts.RegularExpressionLiteral[] {
  const source = ts.createSourceFile(file, readFileSync(join(room, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: ts.RegularExpressionLiteral[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { parent } = node;
      const becomesAutomaton = ts.isCallExpression(parent) && parent.expression.getText() === 'finder';
      const isPattern =
        file.startsWith('rules') && !ts.isPropertyAccessExpression(parent) && !ts.isCallExpression(parent);
      if (!becomesAutomaton && !isPattern) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('a check of values', () => {
  if (SOAK)
    it('runs no expression that backtracks, according to an expression checker', () => {
      process.env['RECHECK_BACKEND'] = 'pure';
      const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
      let checked = 0;
      for (const file of files) {
        for (const { text } of nativeExpressions(file)) {
          const end = text.lastIndexOf('/');
          const { status } = checkSync(text.slice(1, end), text.slice(end + 1), { timeout: 20_000 });
          expect(status, `${file}: ${text}`).to.equal('safe');
          checked++;
        }
      }
      expect(checked).to.be.greaterThan(20);
    });

  it('answers every value at once, with input that makes expressions backtrack', () => {
    const checks = new Set(ownRules.flatMap(({ check }) => check ?? []));
    expect(checks.size).to.be.greaterThan(20);
    for (const check of checks) {
      for (const pump of PUMPS) {
        for (const end of ENDS) {
          const secret = pump.repeat(400) + end;
          const sighting = { secret, match: secret, line: pump.repeat(40) + secret };
          expect(check(secret, sighting)).to.be.a('boolean');
        }
      }
    }
  });
});
