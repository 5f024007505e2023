import { expect } from 'chai';
import * as fc from 'fast-check';
import { commandMatcher } from '../../lib/permission-rules/match-command.ts';
import { type Effects, needBash, shellSandbox, untouched } from './shell-sandbox.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 20_000 : 300;
/** Programs that rules allow: one that runs nothing else, and wrappers. */
const ALLOWED = ['ok', 'find', 'xargs', 'env', 'sudo', 'timeout', 'nice', 'command', 'exec', 'sh', 'eval', 'time'];

/** Parts of lines: `ok` and `bad` are programs, and `X` contains `bad`. */
const PIECES = [
  ...[
    'ok',
    'ok',
    'bad',
    'ok ',
    ' bad ',
    ' ',
    ' ',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '(',
    ')',
    '{ ',
    '; }',
    '$(',
    '`',
    '"',
    "'",
    '\\',
  ],
  ...[
    '>',
    '<',
    '2>&1',
    '>/dev/null',
    '#',
    '$X',
    '${X}',
    '$((1))',
    'eval ',
    'time ',
    '! ',
    'if ',
    '; then ',
    '; fi',
    'A=1 ',
    '=',
    '*',
    '~',
    ',',
  ],
  ...['exec ', 'command ', 'env ', 'timeout 1 ', "sh -c '", '<<E\n', '\nE\n', '<(', 'do ', '[ ', 'f() '],
  ...[
    '&>',
    '&>>',
    '&>/dev/null ',
    '\r',
    '\r#',
    '\f',
    '\v',
    '\u00a0',
    '\u2003#',
    'timeout * ',
    'timeout $X ',
    'nice ',
    'stdbuf -oL ',
  ],
  ...['sudo ', 'xargs ', 'find . ', '-exec ', ' \\;', ' {} +', 'nohup ', '{ok,bad}', '*/', '?'],
];
/** Programs that run others, with possible words between; `*` expands to files of the working directory. */
const WRAPPERS = [
  ...[
    'timeout 1',
    'timeout *',
    'timeout ?',
    'timeout $Y',
    'timeout {1,bad}',
    'timeout -k 1 1',
    'timeout -k * 1',
    'nice',
    'nice -n 1',
  ],
  ...[
    'nice *',
    'stdbuf -oL',
    'stdbuf $O',
    'nohup',
    'time',
    'time -p',
    'sudo',
    'env',
    'env A=1',
    'command',
    'exec',
    'xargs',
    'find . -exec',
  ],
  ...[
    'find . -name 1 -execdir',
    'find $F',
    'find . -maxdepth 0 -ok',
    'sh -c',
    'eval',
    'echo ok | xargs',
    'command env',
    'sudo find . -exec',
  ],
];
const BLANKS = [' ', ' ', ' ', '\t', '  ', '\\\n', '\r', '\f', '\v', '\u00a0', '\u2003', ' \r#', ' \u00a0#', ' #'];
const BETWEEN = [
  ' ; ',
  ' && ',
  ' | ',
  ' & ',
  '\n',
  ' &>/dev/null ',
  ' &>>/dev/null ',
  ' >/dev/null ',
  ' &> ',
  ' \r\n',
  ' #\r',
];
const QUOTES = [(line: string) => line, (line: string) => `"${line}"`, (line: string) => `'${line}'`];

/** Lines as people and models write them: nested wrappers around a program, several commands in a row. */
const command = fc
  .tuple(
    fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 3 }),
    fc.constantFrom('ok', 'ok', 'bad', 'ok bad', 'bad ok'),
    fc.constantFrom(...QUOTES),
    fc.constantFrom('', '', ' x', ' *', ' \\;', ' {} +', ' {} \\;'),
    fc.array(fc.constantFrom(...BLANKS), { minLength: 3, maxLength: 3 }),
  )
  .map(([wrappers, program, quote, end, blanks]) =>
    [...wrappers, quote(program + (blanks[0] ?? '')) + end].reduce(
      (line, word, at) => line + (blanks[at] ?? ' ') + word,
    ),
  );
const written = fc
  .tuple(command, fc.option(fc.tuple(fc.constantFrom(...BETWEEN), command), { nil: undefined }))
  .map(([first, more]) => first + (more?.join('') ?? ''));
/** Wrappers that rules examine, so that enough lines are allowed. */
const looked = fc
  .tuple(
    fc.array(fc.constantFrom('timeout 1', 'nice', 'nice -n 1', 'stdbuf -oL', 'time -p', 'nohup'), { maxLength: 3 }),
    command,
  )
  .map(([wrappers, rest]) => [...wrappers, rest].join(' '));
const random = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));

/** Lines that once ran a program that the rule does not allow. */
const ESCAPES: readonly (readonly [rule: string, line: string])[] = [
  ['ok:*', 'ok &>/dev/null bad'],
  ['ok:*', 'ok &>>/dev/null bad'],
  ['ok:*', 'ok \r#; bad'],
  ['ok:*', 'ok \f#; bad'],
  ['ok:*', 'ok \u00a0#; bad'],
  ['ok:*', 'timeout * ok'],
  ['ok:*', 'timeout $Y ok'],
  ['ok:*', 'timeout {1,bad} ok'],
  ['ok:*', 'stdbuf $O ok'],
  ['find:*', 'find . -exec bad \\;'],
  ['find:*', 'find . -name 1 -execdir bad {} +'],
  ['find:*', 'find . -delete'],
  ['find:*', 'find . -fprint made'],
  ['find:*', 'find $F'],
  ['xargs:*', 'xargs bad < /dev/null | xargs bad'],
  ['xargs:*', 'xargs bad'],
  ['env:*', 'env bad'],
  ['env:*', 'env A=1 bad'],
  ['sudo:*', 'sudo bad'],
  ['timeout:*', 'timeout 1 bad'],
  ['nice:*', 'nice -n 1 bad'],
  ['command:*', 'command bad'],
  ['exec:*', 'exec bad'],
  ['sh:*', 'sh -c bad'],
  ['eval:*', 'eval bad'],
  ['.:*', '. ./bad'],
  ['printf:*', "printf -v 'a[$(bad)]' x"],
  ['test:*', "test -v 'a[$(bad)]'"],
  ['[:*', "[ -v 'a[`bad`]' ]"],
];

describe('a rule for shell lines', () => {
  let ran: (line: string) => Effects;
  before(function () {
    needBash(this);
    ran = shellSandbox();
  });

  for (const [rule, line] of ESCAPES)
    it(`does not allow ${JSON.stringify(line)} by ${rule}`, () => {
      const { programs, files } = ran(line);
      expect(programs.has('bad') || files.join() !== untouched.join(), 'a shell does more').to.equal(true);
      expect(commandMatcher([rule])(line)).to.not.equal('all');
    });

  it('matches all only if nothing else runs or is created, never none if the command runs', function () {
    this.timeout(0);
    const counts = { all: 0, none: 0, wrapped: 0 };
    const allowing = ALLOWED.map((program) => [program, commandMatcher([`${program}:*`])] as const);
    const refusing = commandMatcher(['bad:*']);
    fc.assert(
      fc.property(fc.oneof(random, written, looked), (line) => {
        const allowed = allowing.find(([, fits]) => fits(line) === 'all')?.[0];
        const refused = refusing(line);
        if (allowed === undefined && refused !== 'none') return;
        const { programs, files } = ran(line);
        if (allowed !== undefined) {
          counts.all += 1;
          if (!line.trimStart().startsWith(allowed)) counts.wrapped += 1;
          expect([allowed, line, programs.has('bad'), files]).to.deep.equal([allowed, line, false, untouched]);
        }
        if (refused === 'none') {
          counts.none += 1;
          expect([line, programs.has('bad')]).to.deep.equal([line, false]);
        }
      }),
      { numRuns: RUNS },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.greaterThan(0);
  });
});

describe('an allow rule for shell lines', () => {
  it('matches all for the same lines as a deny rule, ignoring other commands', () => {
    const counts = { all: 0, some: 0, looked: 0 };
    const [allowing, refusing] = (['allow', 'refuse'] as const).map((effect) => commandMatcher(['ok:*'], effect));
    fc.assert(
      fc.property(fc.oneof(random, written, looked), (line) => {
        const [allowed, refused] = [allowing!(line), refusing!(line)];
        if (allowed === refused) {
          if (allowed === 'all' || allowed === 'some') counts[allowed] += 1;
          return;
        }
        counts.looked += 1;
        expect([line, allowed, refused]).to.deep.equal([line, 'none', 'unclear']);
      }),
      { numRuns: RUNS },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.greaterThan(0);
  });
});
