import * as fc from 'fast-check';
import { ruleMatcher } from '../../lib/permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../lib/permission-rules/permission-rule.ts';

const place = { cwd: '/project/app', home: '/home/me', root: '/project' };
const denied = ruleMatcher([parsePermissionRule('Read(//etc/**)')], place);
const matchOf = (pattern: string) => denied({ tool: 'Glob', input: { pattern } });

const below = fc.constantFrom('passwd', '*', '**', '*.conf', '{a,b}/*', 'ssh/**/*');
const name = fc.constantFrom('x', 'src', '*', 'a/b', '');
/** After one of these, the searched folder is unknown. */
const wild = fc.constantFrom('*', '**', '?', 'a*', '[a-z]*', '{a,b}*', 'src/*', '*.{ts,tsx}');
const up = fc.tuple(wild, fc.integer({ min: 4, max: 9 }), fc.constantFrom('../', '{..,x}/', '.{.,x}/', './../'));
const group = fc.constantFrom('@', '+', '?', '*', '!', '');
const slash = fc.constantFrom('[/]', '[.-0]', '[!a]', '[^a]', '[a/]', '\\/', '@(/)', '{/,x}', '{{/,x},y}', '{,/}');
const etc = fc.constantFrom('etc', '{etc,var}', 'e{t,}c', '{x,{etc,y}}');

/** Patterns that may search `/etc`. */
const disguised = fc
  .oneof(
    fc.tuple(name, name, etc).map(([a, b, folder]) => `{{/${folder},${a}},${b}}`),
    fc.tuple(name, name, etc).map(([a, b, folder]) => `{${a},{${b},/${folder}}}`),
    fc.tuple(up, etc).map(([[first, times, one], folder]) => `${first}/${one.repeat(times)}${folder}`),
    fc.tuple(group, name, etc).map(([sign, a, folder]) => `${sign}(/${folder}|${a})`),
    fc.tuple(slash, etc).map(([one, folder]) => `${one}${folder}`),
  )
  .chain((folder) =>
    fc.tuple(below, name).map(([rest, other]) => [`${folder}/${rest}`, `{${folder},${other}}/${rest}`]),
  );

describe('a path rule', () => {
  it('misses no glob that may match its paths', () => {
    fc.assert(
      fc.property(disguised, (patterns) => patterns.every((pattern) => matchOf(pattern) !== 'none')),
      { numRuns: 1_000 },
    );
  });

  it('allows ordinary patterns in their own folders', () => {
    const part = fc.constantFrom(
      'src',
      '*',
      '**',
      '{a,b}',
      '[a-z]*',
      'v[0-9]',
      '(auth)',
      'my-{a,b,c}*',
      '.github',
      '.',
    );
    const last = fc.constantFrom('*.ts', '*.{ts,tsx}', '*', '.*', '?.md', 'README.md', '[A-Z]*.{md,txt}', '**');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        last,
        (parts, end) => matchOf([...parts, end].join('/')) === 'none',
      ),
      { numRuns: 1_000 },
    );
  });
});
