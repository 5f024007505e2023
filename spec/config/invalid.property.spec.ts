import { expect } from 'chai';
import fc from 'fast-check';
import { HooklineError } from 'hookline';
import { formatIssue, formatPath, type LoadedConfig } from 'hookline/config';
import { nativeConfig } from './random-config.ts';
import { again } from './read.ts';
import { writeText } from './write-text.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 50_000 : 100;
const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);

type Data = { hooks: Record<string, Record<string, unknown>> } & Record<string, unknown>;
interface Broken {
  readonly data: Data;
  readonly path: readonly PropertyKey[];
  readonly part: 'key' | 'value';
  /** A missing part has this place. */
  readonly at?: readonly PropertyKey[];
}

/** Ways to break one part of a configuration whose hook `name` is an audit-log without options. */
const ways: Readonly<Record<string, (data: Data, name: string) => Broken>> = {
  unknownKey: (data, name) => within(data, name, { zzqx: 1 }, ['zzqx'], 'key'),
  unknownTop: (data) => ({ data: { ...data, zzqx: { a: [] } }, path: ['zzqx'], part: 'key' }),
  unknownOption: (data, name) => within(data, name, { options: { args: true, zzqx: 1 } }, ['options', 'zzqx'], 'key'),
  unknownMatch: (data, name) => within(data, name, { match: { tool: [] } }, ['match', 'tool'], 'key'),
  wrongType: (data, name) => within(data, name, { priority: '5' }, ['priority']),
  wrongList: (data, name) => within(data, name, { match: { tools: 'all' } }, ['match', 'tools']),
  wrongItem: (data, name) => within(data, name, { match: { tools: ['a', 5] } }, ['match', 'tools', 1]),
  noObject: (data, name) => ({
    data: { ...data, hooks: { ...data.hooks, [name]: null } } as never,
    path: ['hooks', name],
    part: 'value',
  }),
  unknownKind: (data, name) => within(data, name, { type: 'constructor' }, ['type']),
  noType: (data, name) => within(data, name, { type: undefined }, [], 'key'),
  badEnum: (data, name) => within(data, name, { onFailure: 'ajar' }, ['onFailure']),
  badOption: (data, name) => within(data, name, { options: { level: 'loud' } }, ['options', 'level']),
  noCommand: (data, name) => ({
    ...within(data, name, { type: 'process', options: { dir: 'x' } }, ['options', 'command']),
    at: ['hooks', name, 'options'],
  }),
  notAllowed: (data, name) => within(data, name, { options: { file: '${OTHER}' } }, ['options', 'file']),
  twice: (data, name) => ({
    data: { ...data, hooks: { ...data.hooks, [`${name}TWICE`]: { type: 'audit-log' } } },
    path: ['hooks', name],
    part: 'key',
    at: ['hooks', `${name}TWICE`],
  }),
  prototype: (data) => ({
    data: { ...data, hooks: Object.fromEntries([...Object.entries(data.hooks), ['__proto__', {}]]) },
    path: ['__proto__'],
    part: 'key',
    at: ['hooks', '__proto__'],
  }),
};

function within(
  data: Data,
  name: string,
  change: object,
  path: readonly PropertyKey[],
  part: 'key' | 'value' = 'value',
): Broken {
  const entry = JSON.parse(JSON.stringify({ ...data.hooks[name], ...change }));
  return { data: { ...data, hooks: { ...data.hooks, [name]: entry } }, path: ['hooks', name, ...path], part };
}

/** Parses a configuration. Accepts only issues with places in the text, or a HooklineError. */
function readAnything(content: string | Uint8Array, name: string): LoadedConfig | undefined {
  try {
    const loaded = again(content, name, { SET: '0123456789abcdef' });
    const lines = new TextDecoder().decode(content instanceof Uint8Array ? content : Buffer.from(content)).split('\n');
    for (const issue of loaded.issues) {
      expect(issue.line, formatIssue(issue)).to.be.within(1, lines.length);
      expect(issue.column, formatIssue(issue)).to.be.within(1, lines[issue.line - 1]!.length + 1);
    }
    return loaded;
  } catch (thrown) {
    expect(thrown).to.be.instanceOf(HooklineError);
    return undefined;
  }
}

const BRANCHES = 3 * Object.keys(ways).length;

describe('a broken configuration', () => {
  before(() => console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`));

  for (const [way, breaks] of Object.entries(ways)) {
    for (const style of ['json', 'jsonc', 'yaml'] as const) {
      it(`has an issue at its path, line and column: ${way} in ${style}`, function () {
        this.timeout(0);
        fc.assert(
          fc.property(nativeConfig, fc.constantFrom('victim', 'toString', 'x "y"', '\ud800'), (config, name) => {
            const data = {
              ...config,
              hooks: { ...config.hooks, [name]: { type: 'audit-log', enabled: true } },
            } as unknown as Data;
            const { data: broken, path, part, at = path } = breaks(data, name);
            const { text, places } = writeText(broken, style);
            const { issues } = readAnything(text, `c.${style}`)!;
            const [line, column] = places.get(JSON.stringify(at))![part];
            const found = issues.map((issue) => [issue.line, issue.column]);
            expect(found, `${way} ${formatPath(path)}\n${text}\n${issues.map(formatIssue).join('\n')}`).to.deep.equal([
              [line, column],
            ]);
            // The YAML parser has no paths.
            const inYaml = style === 'yaml' && way === 'twice';
            if (!inYaml) expect(formatPath(issues[0]!.path.slice(-path.length))).to.equal(formatPath(path));
          }),
          { numRuns: Math.ceil(RUNS / BRANCHES), seed },
        );
      });
    }
  }

  it(`has a syntax issue, and none before the broken place, ${RUNS} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(
        nativeConfig,
        fc.nat(),
        fc.constantFrom('}', ']', ',,', ':', '@', '"', '\0', '\n'),
        (config, at, junk) => {
          const { text } = writeText({ tools: ['a'], ...config }, 'json');
          // Outside of texts, because in texts nearly everything is valid.
          const places = [
            ...text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => '"'.repeat(string.length)).matchAll(/[:,{}[\]]/g),
          ];
          const offset = places[at % places.length]!.index;
          const broken = text.slice(0, offset) + junk + text.slice(offset);
          const loaded = readAnything(broken, 'c.json')!;
          if (junk === '\n') return;
          expect(loaded.issues, broken).not.to.deep.equal([]);
          const line = text.slice(0, offset).split('\n').length;
          for (const issue of loaded.issues) expect(issue.line, broken).to.be.at.least(line);
        },
      ),
      { numRuns: RUNS, seed },
    );
  });

  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '- ',
    '? ',
    '\n',
    '  ',
    '&a ',
    '*a',
    '!!set ',
    '!!binary ',
    '<<',
    '|',
    '>',
    '%',
    '# ',
    '//',
    '/*',
    '\0',
    '1e999',
    '-0',
    '9'.repeat(400),
    '"hooks":',
    'hooks: ',
    '"__proto__":',
    'constructor: ',
    '"type":',
    'toString',
    '"\\ud800"',
    '\ufeff',
    '...',
    '---',
    'pre_tool_use',
    'handlers',
    'builtins',
    'PreToolUse',
    '${SET}',
    'null',
    '.nan',
    '{"type":"process"}',
    '"options":',
  );
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(pieces, { maxLength: 40 }).map((all) => Buffer.from(all.join(''))),
    fc.json({ depthSize: 'large' }).map((text) => Buffer.from(text)),
    fc
      .record({ hooks: fc.anything({ withNullPrototype: false }), a: fc.anything() })
      .map((value) => Buffer.from(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))),
    fc
      .record({
        phase: fc.constantFrom('pre_tool_use', 'builtins', 'processes', 'Stop', 'guard'),
        inner: fc.dictionary(fc.constantFrom('enabled', 'handlers', 'type', 'a', 'toString'), fc.jsonValue()),
      })
      .map(({ phase, inner }) => Buffer.from(JSON.stringify({ hooks: { [phase]: inner } }))),
  );

  it(`throws only issues as a HooklineError for any bytes, ${RUNS * 10} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom('c.json', 'c.jsonc', 'c.yaml', 'c'),
        (bytes, name) => void readAnything(bytes, name),
      ),
      { numRuns: RUNS * 10, seed },
    );
  });

  for (const piece of ['[', '{"a":', '{a: ', '- ', '? ', '{"hooks":', '{"hooks":{"a":{"options":']) {
    for (const depth of [200, 400, 800, 3_000, 20_000]) {
      it(`has an issue if ${piece} is nested ${depth} times`, () => {
        for (const name of ['c.json', 'c.yaml']) {
          const loaded = readAnything(piece.repeat(depth), name);
          expect(loaded?.issues).not.to.deep.equal([]);
        }
      });
    }
  }
});
