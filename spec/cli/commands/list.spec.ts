import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { describeKind, kindText } from '../../../lib/cli/view/describe-kind.ts';
import { hookKinds } from '../../../lib/config/index.ts';
import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { createCatalogue } from '../../../lib/hooks/index.ts';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const kinds = hookKinds(createCatalogue(builtIns));

describe('hookline list --available', () => {
  it('shows every kind with its description', async () => {
    const { code, stdout } = await hookline(['list', '--available']);
    expect(code).to.equal(0);
    for (const { name, description } of builtIns)
      expect(stdout)
        .to.match(new RegExp(`^${name} `, 'm'))
        .and.include(description);
    const { stdout: json } = await hookline(['list', '--available', '--json']);
    expect(JSON.parse(json).kinds.map(({ name }: { name: string }) => name)).to.include.members(
      builtIns.map(({ name }) => name),
    );
  });

  it('shows the options of a kind with types, defaults, nested fields and a valid example', async () => {
    const { stdout } = await hookline(['list', '--available', 'budget']);
    expect(stdout).to.match(/^ {2}limits +Limits\. All of them apply\. \(list of object; required\)$/m);
    expect(stdout).to.match(/^ {2}limits\[\]\.per .*\(run \| session \| user; default: "run"\)$/m);
    const [, example = ''] = stdout.split('example:\n');
    expect(parse(example)).to.have.nested.property('hooks.budget.type', 'budget');
  });

  it('shows options in records and alternatives, secrets, and options for files only', () => {
    const rowsOf = (kind: string) => kindText(describeKind(kinds.get(kind)!, kinds)).split('\n');
    for (const [kind, ...wanted] of [
      [
        'monitor',
        /^ {2}prices\.<name>\.input +.*\(number; required\)$/,
        /^ {2}file +.*\(string; only in a configuration file\)$/,
      ],
      ['budget', /^ {2}prices\.<name>\.cachedInput /],
      [
        'permission',
        /^ {2}allow\[\]\.tool /,
        /^ {2}deny\[\]\.permission /,
        /^ {2}files +.*; only in a configuration file\)$/,
      ],
      ['auto-context', /^ {2}summary\.maxTokens +/, /^ {2}summary\.model +/],
      [
        'tool-params',
        /^ {2}params +.*; required; only in a configuration file\)$/,
        /^ {2}params\[\]\.seal\.<name>\.value +.*; secret\)$/,
        /^ {2}params\[\]\.fromRun\.<name> +\(userId \| sessionId \| runId \| agent\)$/,
      ],
      ['webhook', /^ {2}secret +.*; secret\)$/, /^ {2}headers\.<name> +\(string; secret\)$/],
      ['audit-log', /^ {2}redact +.*; false only in a configuration file\)$/],
    ] as const)
      for (const line of wanted)
        expect(
          rowsOf(kind).filter((row) => line.test(row)),
          `${kind} ${line}`,
        ).to.have.length(1);
  });

  it('suggests the nearest kind for an unknown name', async () => {
    const { code, stderr } = await hookline(['list', '--available', 'budgt']);
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr: 'error: There is no kind of hook named "budgt". Did you mean "budget"?\n',
    });
  });

  it('has examples of all kinds that check accepts', async () => {
    const at = folder({
      'hooks.js': 'module.exports = () => [];',
      'docs/a.md': 'a',
      'skills/a/SKILL.md': '---\nname: a\ndescription: b\n---\n',
    });
    const examples = [...kinds.values()].flatMap((kind) => describeKind(kind, kinds).example ?? []);
    const hooks = Object.assign({}, ...examples.map((example) => (example as { hooks: object }).hooks));
    expect(Object.keys(hooks).length).to.be.greaterThan(20);
    writeFileSync(join(at, 'all.json'), JSON.stringify({ hooks }));
    const { code, stdout } = await hookline(['check', 'all.json'], { cwd: at });
    expect(code, stdout).to.equal(0);
    expect(readdirSync(at).sort()).to.deep.equal(['all.json', 'docs', 'hooks.js', 'skills']);
  });

  for (const kind of kinds.values())
    it(`describes ${kind.name} with a text per option and a valid example`, () => {
      const described = describeKind(kind, kinds);
      expect(kindText(described)).not.to.match(/undefined|\[object|\(\)/);
      if (kind.origin === 'file' || kind.optionsSchema.safeParse({}).error)
        expect(described).to.have.property('example');
      if (kind.example) expect(kind.optionsSchema.safeParse(kind.example).error).to.equal(undefined);
    });
});

describe('hookline list', () => {
  it('shows the kind of a hook whose name contains a dot, with any prefix', async () => {
    const config = join(folder({}), 'hookline.yaml');
    writeFileSync(config, 'hooks: { a: { type: timing }, a.b: { type: loop-guard } }\n');
    const { stdout } = await hookline(['list', '--config', config, '--json']);
    const hooks: readonly { name: string; type: string }[] = JSON.parse(stdout).hooks;
    const own = hooks.filter(({ name }) => name.startsWith('a'));
    expect(Object.fromEntries(own.map(({ name, type }) => [name, type]))).to.include({
      a: 'timing',
      'a.b': 'loop-guard',
    });
  });
});
