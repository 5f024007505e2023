import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { lastValueFrom } from 'rxjs';
import { createAgent } from '../../lib/agent/create-agent.ts';
import type { PostCall } from '../../lib/events/post-call.ts';
import type { HookHost } from '../../lib/hooks/hook-host.ts';
import { permission } from '../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../lib/hooks/permission/permission-options.ts';
import { rag } from '../../lib/hooks/rag/rag.ts';
import { skills } from '../../lib/hooks/skills/skills.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { type Hook, type Verdict, verdict } from '../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../lib/pipeline/define/tool.ts';
import { scriptedModel } from '../../lib/testing/scripts/scripted-model.ts';
import { root } from '../cli/hookline.ts';
import { tempFolder } from '../temp-folder.ts';
import { write } from './rag/folder-scene.ts';

const WORD = 'cormorant';
const host = (workspace: string): HookHost => ({ workspace, countTokens: (text) => text.length });

interface PhaseResults {
  readonly post: PostCall;
  /** All model requests, notes and results, as JSON. */
  readonly all: string;
  readonly lines: readonly string[];
}

/** The output of a run under these hooks, after a question about the word and `load_skill` calls with these inputs. */
async function run(hooks: readonly Hook[], loads: readonly object[] = []): Promise<PhaseResults> {
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => void lines.push(message ?? String(fields));
  const heard: unknown[] = [];
  const watch = defineHook({ name: 'watch', observe: (event) => void heard.push(event) });
  const pipeline = createPipeline([...hooks, watch], { log: { debug: line, info: line, warn: line, error: line } });
  const turns = [...loads.map((input) => ({ toolCalls: [{ name: 'load_skill', input: { ...input } }] })), 'Done.'];
  const model = scriptedModel(turns);
  const post = await createAgent({ name: 'a', model, pipeline }).call(`What of the ${WORD}?`);
  await pipeline.flush();
  return { post, all: JSON.stringify([model.requests, heard, post]), lines };
}

/** Each hook that reads files which the model did not name itself: a run in a workspace that would show one. */
const readers: Readonly<Record<string, (workspace: string, hooks: readonly Hook[]) => Promise<PhaseResults>>> = {
  rag: (workspace, hooks) => run([...hooks, rag({}, host(workspace))]),
  skills: (workspace, hooks) => {
    const loads = [{ name: 'pay' }, { name: 'open', file: 'pay.txt' }, { name: 'open' }];
    return run([...hooks, skills({ folders: [join(workspace, 'secrets'), join(workspace, 'docs')] })], loads);
  },
};

const skill = (name: string, text: string) => `---\nname: ${name}\ndescription: About ${text}.\n---\n${text}\n`;

/** A workspace with a secret below `secrets/`, one in a file of a skill, and readable texts. */
function workspace(): string {
  const folder = tempFolder('reading');
  write(folder, {
    'secrets/pay.txt': `The ${WORD} earns HIDDEN-1.`,
    'secrets/pay/SKILL.md': skill('pay', `the ${WORD} HIDDEN-2`),
    'docs/open/SKILL.md': skill('open', `the ${WORD} is SHOWN`),
    'docs/open/pay.txt': `The ${WORD} earns HIDDEN-3.`,
  });
  return folder;
}

const RULES: readonly [what: string, options: PermissionOptions][] = [
  ['deny rules', { deny: ['Read(secrets/**)', 'Read(pay.txt)'] }],
  ['deny rules with our own names', { deny: ['read_file(./secrets/**)', 'read_file(pay.txt)'] }],
  ['deny rules as objects', { deny: [{ tool: '*', path: ['secrets/**', 'pay.txt'] }] }],
  ['ask rules, since no prompt is possible', { ask: ['Read(secrets/**)', 'Read(pay.txt)'], askBy: 'suspend' }],
  ['a default of deny', { default: 'deny', allow: ['Read(docs/open/SKILL.md)', 'load_skill'] }],
];

/** Rules, and the paths that they deny. */
const RULED = {
  'Read(a/**)': '^a/',
  'Read(*.txt)': 'txt$',
  'Read(b/x.md)': '^b/x.md$',
  'Read(**)': '',
  read_file: '',
};

describe('content that the model may not read', () => {
  for (const [reader, go] of Object.entries(readers)) {
    it(`is shown by ${reader} without rules, so that the cases below can fail`, async () => {
      const { all } = await go(workspace(), [permission({ default: 'allow' })]);
      expect(all)
        .to.contain('SHOWN')
        .and.to.match(/HIDDEN-[23]/);
    });

    for (const [what, options] of RULES)
      it(`is withheld by ${reader} with ${what}`, async () => {
        const folder = workspace();
        const { all } = await go(folder, [permission({ default: 'allow', ...options }, host(folder))]);
        expect(all).to.contain('SHOWN').and.not.to.contain('HIDDEN');
      });

    it(`is withheld by ${reader} if an approver fails to decide`, async () => {
      for (const denies of [() => Promise.resolve(false), () => expect.fail('down')] as (() => never)[]) {
        const broken = defineHook({ name: 'broken', approve: () => verdict.allow(), denies });
        const { all, lines } = await go(workspace(), [broken]);
        expect(all).not.to.match(/HIDDEN|SHOWN/);
        expect(lines).to.include('a hook failed in denies, which counts as a denial');
      }
    });
  }

  it('is withheld from a search by any deny rule, in any folder', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x.md', 'y.txt')), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.constantFrom(...(Object.keys(RULED) as (keyof typeof RULED)[])),
        async (files, rule) => {
          const folder = tempFolder('reading');
          const paths = [...new Set(files.map((parts) => parts.join('/')))];
          write(folder, Object.fromEntries(paths.map((path) => [path, `The ${WORD} <${path}>.`])));
          const { all } = await run([
            permission({ deny: [rule] }, host(folder)),
            rag({ limit: 50, maxTokens: 100_000 }, host(folder)),
          ]);
          const denied = (path: string) => new RegExp(RULED[rule]).test(path);
          for (const path of paths) expect(all.includes(`<${path}>`), `${rule} of ${path}`).to.equal(!denied(path));
        },
      ),
      { numRuns: 25 },
    ));

  it('leaves room for allowed passages and is named in a note and the log', async () => {
    const folder = tempFolder('reading');
    const many = Array.from({ length: 12 }, (_, at) => [`secrets/${at}.txt`, `${WORD} ${WORD} ${WORD} HIDDEN`]);
    write(folder, { ...Object.fromEntries(many), 'open.txt': `One ${WORD} is SHOWN among many other words.` });
    symlinkSync(join(folder, 'secrets/1.txt'), join(folder, 'link.txt'));
    const { post, all, lines } = await run([
      permission({ deny: ['Read(secrets/**)'] }, host(folder)),
      rag({ limit: 2 }, host(folder)),
    ]);
    expect(all).to.contain('SHOWN').and.not.to.contain('HIDDEN');
    expect(post.notes?.find(({ code }) => code === 'citations')?.message).to.equal(
      'The model request contains one passage.',
    );
    const line = lines.find((text) => text.startsWith('Rules do not allow the model to read'));
    expect(line).to.contain(join(folder, 'secrets/0.txt')).and.to.contain('and 7 more, which was omitted.');
    expect(all).to.contain('rag-withheld');
  });

  it('is matched by the source or path of a custom retriever', async () => {
    const folder = workspace();
    const passages = ['secrets/pay.txt', 'https://intern.example/pay', 'A title'].map((source, at) => ({
      source,
      text: `HIDDEN-${at}`,
      score: 1,
    }));
    const retriever = () => [...passages, { source: 'id-7', path: 'secrets/pay.txt', text: 'HIDDEN-3', score: 1 }];
    const deny = ['Read(secrets/**)', 'WebFetch(domain:intern.example)'];
    const { all } = await run([permission({ deny }, host(folder)), rag({ retriever }, host(folder))]);
    expect(all.match(/HIDDEN-\d/g)?.filter((one) => one !== 'HIDDEN-2')).to.deep.equal([]);
    expect(all).to.contain('HIDDEN-2');
  });

  it('is removed from a resumed run if its rules became stricter', async () => {
    const folder = workspace();
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object' },
      execute: () => 'seen',
    });
    const agentWith = (options: PermissionOptions, approve: () => Verdict) => {
      const model = scriptedModel([{ toolCalls: [{ name: 'look', input: {} }] }, 'Done.']);
      const hooks = [permission({ default: 'allow', ...options }, host(folder)), rag({}, host(folder))];
      const pipeline = createPipeline([...hooks, defineHook({ name: 'ask', approve })]);
      return { model, agent: createAgent({ name: 'a', model, pipeline, tools: [tool] }) };
    };
    const first = agentWith({}, () => verdict.suspend('May it?'));
    const { snapshot } = await first.agent.call(`What of the ${WORD}?`);
    expect(JSON.stringify(first.model.requests)).to.contain('HIDDEN-1');
    const saved = JSON.parse(JSON.stringify(snapshot));
    for (const [deny, shown] of [
      [[], true],
      [['Read(secrets/pay.txt)'], false],
    ] as const) {
      const { model, agent } = agentWith({ deny: [...deny] }, () => verdict.allow());
      await lastValueFrom(agent.resume(saved, { [saved.pending[0].key]: { approved: true } }));
      expect(JSON.stringify(model.requests).includes('HIDDEN-1')).to.equal(shown);
    }
  });

  it('includes secrets in the results of rag, in code too', async () => {
    const folder = tempFolder('reading');
    const secret = `AKIA${'ABCDEFGH'.repeat(2)}`;
    write(folder, { [`${secret}.txt`]: `The ${WORD} has the key ${secret}.` });
    const { all } = await run([rag({}, host(folder))]);
    expect(all).to.contain(WORD).and.not.to.contain(secret);
  });

  it('is checked by every hook that reads files of a folder', () => {
    const hooks = join(root, 'lib/hooks');
    const files = readdirSync(hooks, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const reading = files.filter((file) => readFileSync(join(hooks, file), 'utf8').includes("/files/read-text.ts'"));
    expect([...new Set(reading.map((file) => file.split('/')[0]))].sort()).to.deep.equal(Object.keys(readers).sort());
  });

  it('is removed from the index of rag at the first run that may not read it', async () => {
    const [folder, stateFolder] = [workspace(), tempFolder('state')];
    const kept = () =>
      readdirSync(join(stateFolder, 'rag')).map((name) => readFileSync(join(stateFolder, 'rag', name), 'utf8'));
    const ask = (deny: string[]) =>
      run([
        permission({ default: 'allow', ...(deny.length > 0 && { deny }) }, host(folder)),
        rag({}, { ...host(folder), stateFolder }),
      ]);
    await ask([]);
    expect(kept().join())
      .to.match(/HIDDEN-1/)
      .and.to.match(/hidden/);
    const { all } = await ask(['Read(secrets/**)', 'Read(pay.txt)']);
    expect(all).to.contain('SHOWN').and.to.contain('rag-withheld').and.not.to.contain('HIDDEN');
    expect(kept().join())
      .to.contain('SHOWN')
      .and.not.to.match(/hidden/i);
    expect((await ask([])).all).to.contain('HIDDEN-1');
  });

  it('includes sources that do not parse as an address, but not the others', async () => {
    const retriever = () => [
      { source: 'file:///a%zz.md', text: 'HIDDEN', score: 2 },
      { source: 'docs/b.md', text: 'SHOWN', score: 1 },
    ];
    const { all } = await run([permission({ deny: ['Read(x)'] }), rag({ retriever }, host(tempFolder('reading')))]);
    expect(all).to.contain('SHOWN').and.not.to.contain('HIDDEN');
    expect(all).to.contain('rag-withheld').and.to.contain('a%zz.md');
  });
});
