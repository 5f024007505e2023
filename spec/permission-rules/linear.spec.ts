import { expect } from 'chai';
import { callRuleMatcher } from '../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../lib/permission-rules/call-rule-schema.ts';
import { findDanger } from '../../lib/permission-rules/danger/find-danger.ts';

/** Texts that make a pattern with an alternative backtrack. */
const UNITS = [
  '\n',
  ' ',
  '\t ',
  ';',
  ' ;',
  '; ',
  'sh ',
  'sh $( ',
  'a,',
  '{a,',
  '{',
  '}',
  '(',
  ')',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '|',
  '| sh ',
  '|x ',
  'a|',
  '> ',
  ': > ',
  ':() {',
  '/* ',
  '-- x\n',
  'drop ',
  'drop/**/',
  'alter table x ',
  'truncate ',
  'rm',
  'rm ',
  'sudo ',
  'nice ',
  'bad ',
  ' -bad',
  'x=bad ',
  'trap bad ',
  '<<<bad ',
  'curl ',
  'curl | ',
  'git push ',
  'git -c x ',
  '${',
  '<<E\n',
  'a.b(',
  'db.',
  'unlink',
  'os.remove',
  'A=1 ',
  '[[ ',
  'find . -exec ',
  "sh -c '",
  'aA',
  'delete_',
  'echo x | ',
];
const SIZES = [2_000, 16_000] as const;
/** The maximum ratio of times for an eightfold text; a quadratic rule takes 64 times as long. */
const MOST = 40;

const rule = callRuleMatcher(callRuleSchema.parse({ command: ['bad:*', 'git push * main'] }), { cwd: '/', home: '/' });
const judges: Readonly<Record<string, (text: string) => unknown>> = {
  'a rule for a command': (text) => rule({ own: 't', tool: 'Bash', input: { command: text }, permission: 'write' }),
  'the danger of a command': (text) => findDanger('t', { command: text }),
  'the danger of SQL': (text) => findDanger('t', { sql: text }),
  'the danger of code': (text) => findDanger('t', { code: text }),
  'the danger of a name': (text) => findDanger(text, {}),
};

const places = callRuleMatcher(callRuleSchema.parse({ path: ['secrets/**', '.env', '*.pem', '//etc/**', 'outside'] }), {
  cwd: __dirname,
  home: '/home/me',
});
/** Values of each field of a call, for a path rule. */
const FIELDS: Readonly<Record<string, (index: number) => string>> = {
  'paths below missing folders': (index) => `src/a${index}/b.ts`,
  'paths deep in missing folders': (index) => `src/${'deep/'.repeat(30)}a${index}.ts`,
  'paths in an existing folder': (index) => `fields/a${index}.ts`,
  'percent-encoded paths': (index) => `src%2Fa${index}`,
  'JSON in texts': (index) => JSON.stringify({ where: `src/a${index}`, more: ['1 2'] }),
  globs: (index) => `src/a${index}/*.ts`,
};

function msOf(judge: (text: string) => unknown, text: string): number {
  // A busy machine does not affect processor time, and judged texts are cached.
  const begin = process.cpuUsage();
  judge(text);
  return process.cpuUsage(begin).user / 1_000;
}

/** Returns the ratio of times for the long and the short text. The garbage collector may interfere, so a high ratio must occur nine times. */
function ratioOf(judge: (text: string) => unknown, short: string, long: string, most = MOST): number {
  const shortMs = Math.max(Math.min(...[1, 2, 3].map((round) => msOf(judge, `${short} ${round}`))), 1);
  let ratio = Infinity;
  for (let round = 0; round < 9 && ratio >= most; round += 1)
    ratio = Math.min(ratio, msOf(judge, `${long} ${round}`) / shortMs);
  return ratio;
}

/** Words of one command: each may begin another one. */
const COMMANDS = [
  ['find', '-exec '],
  ['nice', 'a '],
  ['npx', 'npx '],
  ['env', 'A=1 '],
  ['A=1', 'A=1 '],
] as const;

describe('time for a long text', function () {
  this.timeout(60_000);
  for (const [program, word] of COMMANDS)
    for (const name of ['a rule for a command', 'the danger of a command'] as const)
      it(`is linear in the number of words for ${name}: ${program} ${word}`, () => {
        const [short, long] = [4_000, 32_000].map((count) => `${program} ${word.repeat(count)}`);
        expect(ratioOf(judges[name]!, short!, long!)).to.be.below(MOST);
      });

  for (const [name, judge] of Object.entries(judges))
    it(`is linear in the length for ${name}, with any repetition`, () => {
      for (const unit of UNITS) {
        const [short, long] = SIZES.map((size) => `x ${unit.repeat(Math.ceil(size / unit.length))}`);
        expect(ratioOf(judge, short!, long!), JSON.stringify(unit)).to.be.below(MOST);
      }
    });

  for (const [name, field] of Object.entries(FIELDS))
    it(`is linear in the number of fields for a path rule: ${name}`, () => {
      const judge = (text: string) => {
        const list = Array.from({ length: Number.parseInt(text, 10) }, (_, index) => field(index));
        return places({ own: 't', tool: 't', input: { list }, permission: 'external' });
      };
      // Sixteen times the fields; a quadratic rule takes 256 times as long.
      expect(ratioOf(judge, '60', '960', 100)).to.be.below(100);
    });
});
