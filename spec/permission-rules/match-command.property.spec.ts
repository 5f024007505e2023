import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { commandMatcher } from '../../lib/permission-rules/match-command.ts';
import { tempFolder } from '../temp-folder.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 20_000 : 150;

/** What lines are made of: `ok` and `bad` are programs, and `X` holds `bad`. */
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
];

describe('how rules fit lines of a shell', () => {
  let folder: string;
  before(function () {
    if (spawnSync('bash', ['-c', 'true']).status === 0) return;
    console.log('      bash is not installed; these specs need it');
    this.skip();
  });
  beforeEach(() => {
    folder = tempFolder('match-command');
    mkdirSync(join(folder, 'bin'));
    for (const name of ['ok', 'bad'])
      writeFileSync(join(folder, 'bin', name), `#!/bin/bash\necho ${name} >> "${folder}/log"\n`, { mode: 0o755 });
    for (const name of ['env', 'timeout', 'sh', 'bash'])
      writeFileSync(
        join(folder, 'bin', name),
        `#!/bin/bash\nPATH="${folder}/bin:/usr/bin:/bin" exec /usr/bin/env ${name} "$@"\n`,
        { mode: 0o755 },
      );
  });

  /** What bash runs of a line, and which files it makes. */
  function ran(line: string): { readonly programs: Set<string>; readonly files: string[] } {
    const cwd = join(folder, 'cwd');
    rmSync(cwd, { recursive: true, force: true });
    rmSync(join(folder, 'log'), { force: true });
    mkdirSync(cwd);
    spawnSync('/bin/bash', ['--norc', '-c', line], {
      cwd,
      env: { PATH: join(folder, 'bin'), X: 'bad', HOME: cwd },
      timeout: 5_000,
      input: '',
    });
    // What runs in the background is not waited for.
    spawnSync('sleep', [/&/.test(line) ? '0.03' : '0']);
    const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '';
    return { programs: new Set(log.split('\n').filter(Boolean)), files: readdirSync(cwd) };
  }

  it('is never all where bash runs something else or makes a file, and never none where it runs it', function () {
    this.timeout(0);
    const counts = { all: 0, none: 0, ranBad: 0 };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }), (pieces) => {
        const line = pieces.join('');
        const allowed = commandMatcher(['ok:*'])(line);
        const refused = commandMatcher(['bad:*'])(line);
        if (allowed !== 'all' && refused !== 'none') return;
        const { programs, files } = ran(line);
        if (allowed === 'all') {
          counts.all += 1;
          expect([line, programs.has('bad'), files]).to.deep.equal([line, false, []]);
        }
        if (refused === 'none') {
          counts.none += 1;
          expect([line, programs.has('bad')]).to.deep.equal([line, false]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(counts.all).to.be.greaterThan(0);
    expect(counts.none).to.be.greaterThan(0);
  });
});
