import { expect } from 'chai';
import * as fc from 'fast-check';
import { commandMatcher } from '../../lib/permission-rules/match-command.ts';
import { type Effects, needBash, shellSandbox } from './shell-sandbox.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 100_000 : 800;
/** The number of lines that run regardless of the rule, to verify that the generator creates lines that run the program. */
const SAMPLE = 30;

/** Ways to make a shell run the command `%`. */
const FRAMES = [
  "trap '%' EXIT",
  "alias q='%'\nq",
  "eval '%'",
  "mapfile -C '%' -c 1 a <<< hi",
  "compgen -W '$(%)'",
  "compgen -C '%' y",
  'x=\'a[$(%)]\'; test -v "$x"',
  'x=\'a[$(%)]\'; [ -v "$x" ]',
  'x=\'a[$(%)]\'; printf -v "$x" y',
  "x='a[$(%)]'; echo ${!x}",
  "x='$(%)'; echo ${x@P}",
  "declare -i x='a[$(%)]'",
  "let 'x=a[$(%)]'",
  "PS4='$(%)'; set -x; ok",
  "env -S'%'",
  "env '-S %'",
  "env -vS'%'",
  "env --split-string='%'",
  'prlimit %',
  'setarch -R %',
  'nice %',
  'timeout 1 %',
  'sudo %',
  "split --filter='%' 1",
  "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec='%' 1",
  "sed '1e %' 1",
  'awk \'BEGIN { system("%") }\'',
  'python3 -c \'import os; os.system("%")\'',
  "perl -e 'system(q{%})'",
  "echo '%' | sh",
  "(echo '%') | bash",
  "{ echo '%'; } | sh",
  "echo 'system(q{%})' | perl",
  "sh <<< '%'",
  'find . -maxdepth 0 -exec % \\;',
  'find . -maxdepth 0 -execdir % +',
  'ok && %',
  'if ok; then %; fi',
  '(%)',
  'ok | %',
  '$(%)',
  'echo "$(%)"',
  'echo `%`',
  'ok <(%)',
  'A=1 %',
  'f() { %; }; f',
  'for i in 1 2; do %; done',
  'for i in 1\ndo\n%\ndone',
  'for i do %; done',
  "for i in '%'; do $i; done",
  'for i in \'%\'; do sh -c "$i"; done',
  'for i in $(%); do echo $i; done',
  'for i in \'a[$(%)]\'; do [ -v "$i" ]; done',
  'if %; then ok; fi',
  'if ok; then ok; else ok; fi; %',
  'if ! ok; then ok; else %; fi',
  'until %; do break; done',
  'while %; do break; done',
  'while ok; do %; break; done',
  'while read x; do $x; done <<E\n%\nE',
  'while read x; do echo $x; done <<E\n%\nE',
  'cat <<E\n%\nE',
  "cat <<'E'\n%\nE",
  'cat <<E\n$(%)\nE',
  'cat <<E\nok\nE\n%',
  'cat <<E; %\nok\nE',
  'cat <<-E | sh\n\t%\n\tE',
  'cat <<E | (sh)\n%\nE',
  'cat <<E | perl\nsystem(q{%})\nE',
  'cat <<E\nok\\\nE\nE\n%',
  'sh <<E\n%\nE',
  'ok $(cat <<E\nok\nE\n); %',
  'echo 1 | xargs %',
  'echo 1 | xargs -n 1 %',
  'echo 1 | xargs -I{} %',
  "echo '%' | xargs -I{} sh -c {}",
  "echo '%' | xargs -I{} echo {} | sh",
  'echo 1 | xargs grep 1 | cat; %',
  'ls | xargs cat; %',
] as const;
/** Spellings of the first word of a line. */
const SPELLINGS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line,
  (line) => `\\${line}`,
  (line) => `command ${line}`,
  (line) => `builtin ${line}`,
  (line) => line.replace(/^\w+/, "'$&'"),
  (line) => line.replace(/^\w+/, '"$&"'),
  (line) => line.replace(/^\w/, '$&""'),
  (line) => `ok; ${line}`,
  (line) => `ok\n${line}`,
  (line) => `! ${line}`,
  (line) => line.replace(/ /, '  '),
  (line) => line.replace(/ /, '\t'),
];
/** Commands in place of `%`. */
const COMMANDS = [
  'bad',
  'bad x',
  './bad',
  'b\\ad x',
  'command bad',
  'ok; bad x',
  'ok && bad',
  'A=1 bad',
  'nice bad x',
  'bad|ok',
  '(bad)',
  'cp bad q; ./q x',
  'ln -sf bad q && ./q',
];

const frame = fc.tuple(fc.constantFrom(...FRAMES), fc.constantFrom(...SPELLINGS)).map(([line, spell]) => spell(line));
const line = fc
  .tuple(frame, fc.option(frame, { nil: '%', freq: 3 }), fc.constantFrom(...COMMANDS))
  .map(([outer, inner, command]) => [inner, command].reduce((made, part) => made.split('%').join(part), outer));

describe('a deny rule for a program, with random lines', () => {
  let ran: (line: string) => Effects;
  const fits = commandMatcher(['bad:*']);
  before(function () {
    needBash(this);
    ran = shellSandbox();
  });

  it('denies every line that runs it', function () {
    this.timeout(0);
    let sampled = 0;
    let running = 0;
    fc.assert(
      fc.property(line, (text) => {
        const isSample = sampled < SAMPLE;
        if (!isSample && fits(text) !== 'none') return;
        const runs = ran(text).programs.has('bad');
        if (isSample) sampled += 1;
        if (isSample && runs) running += 1;
        expect([text, runs && fits(text) === 'none']).to.deep.equal([text, false]);
      }),
      { numRuns: RUNS },
    );
    expect(running, 'lines of the sample that run the program').to.be.above(SAMPLE / 5);
  });
});
