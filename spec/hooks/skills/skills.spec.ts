import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { skills, skillsEntry } from '../../../lib/hooks/skills/skills.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../../lib/pipeline/define/hook.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { tempFolder } from '../../temp-folder.ts';
import { write } from '../rag/folder-scene.ts';

const skill = (name: string, description: string, body = `Body of ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

/** A folder with two skills. */
function twoSkills(): string {
  const folder = tempFolder('skills');
  write(folder, {
    'pdf/SKILL.md': skill('pdf-forms', 'Fills forms.'),
    'pdf/fields.md': 'field one',
    'pdf/scripts/fill.py': 'print("filled")',
    'mail/SKILL.md': skill('mail', 'Writes mails.'),
    'README.md': 'no skill',
  });
  return folder;
}

type Input = { name: string; file?: string };

/** An agent that loads these in order. `results` are the tool results. */
async function load(folder: string, inputs: readonly Input[], { more = [] as readonly Hook[], options = {} } = {}) {
  const results: string[] = [];
  const lines: string[] = [];
  const line = (fields: object | string, message?: string) => lines.push(message ?? String(fields));
  const watch = defineHook({
    name: 'watch',
    observe: (event) => {
      if (event.type === 'postActing')
        results.push(`${event.outcome}${event.result.isError ? '!' : ''}: ${event.result.content}`);
    },
  });
  const model = scriptedModel([
    ...inputs.map((input) => ({ toolCalls: [{ name: 'load_skill', input: { ...input } }] })),
    'Done.',
  ]);
  const hook = skills({ folders: [folder], ...options });
  const pipeline = createPipeline([hook, watch, ...more], { log: { debug() {}, info() {}, warn: line, error: line } });
  const agent = createAgent({ name: 'a', instructions: 'Be kind.', model, pipeline });
  const post = await agent.call('go', { sessionId: 's' });
  const requests = model.requests.map(({ messages }) => messages.map((one) => `${one.role}: ${textOf(one)}`));
  return { post, results, requests, lines, agent, model };
}

describe('skills', () => {
  it('lists the skills in the last system message of each request, but not in the transcript', async () => {
    const { requests, agent, model } = await load(twoSkills(), [{ name: 'mail' }]);
    const list =
      'system: There are skills: instructions for certain tasks. Before you do what a skill is for, load it with the tool load_skill.\n- mail: Writes mails.\n- pdf-forms: Fills forms.';
    for (const request of requests) expect(request.slice(0, 3)).to.deep.equal(['system: Be kind.', list, 'user: go']);
    expect(requests).to.have.length(2);
    expect(model.requests[0]?.tools.map(({ name, permission }) => [name, permission])).to.deep.equal([
      ['load_skill', 'read'],
    ]);
    await agent.call('again', { sessionId: 's' });
    expect(model.requests.at(-1)?.messages.filter(({ origin }) => origin === 'skills')).to.have.length(1);
  });

  it('loads the instructions of a skill, with a list of its files, and its files', async () => {
    const { results } = await load(twoSkills(), [
      { name: 'mail' },
      { name: 'pdf-forms' },
      { name: 'pdf-forms', file: 'scripts/fill.py' },
      { name: 'pdf-forms', file: './fields.md' },
    ]);
    expect(results).to.deep.equal([
      'executed: Body of mail.',
      'executed: Body of pdf-forms.\n\n[Files of the skill pdf-forms. Load one with the same tool and "file":\n- fields.md\n- scripts/fill.py]',
      'executed: print("filled")',
      'executed: field one',
    ]);
  });

  it('lists the available names for an unknown skill or file', async () => {
    const folder = twoSkills();
    write(folder, { 'pdf/big.txt': 'x'.repeat(2_000), 'pdf/image.png': Buffer.from([1, 0, 2]) });
    const { results } = await load(
      folder,
      [
        { name: 'mails' },
        { name: 'x' },
        { name: 'mail', file: 'none.md' },
        { name: 'pdf-forms', file: 'scripts' },
        { name: 'pdf-forms', file: 'big.txt' },
        { name: 'pdf-forms', file: 'image.png' },
        { name: 'pdf-forms', file: 'a\0b' },
      ],
      { options: { maxFileBytes: 1_000 } },
    );
    expect(results.map((one) => one.replace(/^\w+!: /, ''))).to.deep.equal([
      'There is no skill "mails". Did you mean "mail"?',
      'There is no skill "x". There are: mail, pdf-forms.',
      'The skill mail has no file "none.md".',
      'The skill pdf-forms has no file "scripts".',
      'The file "big.txt" of the skill pdf-forms has 2000 bytes; the limit is 1000.',
      'The file "image.png" of the skill pdf-forms is not text.',
      '"a\\u0000b" cannot be read.',
    ]);
  });

  it('neither lists nor loads hidden files and installed packages', async () => {
    const folder = twoSkills();
    write(folder, {
      'mail/.git/config': 'token',
      'mail/.env': 'token',
      'mail/lib/.cache/x.md': 'token',
      'mail/node_modules/a/index.js': 'token',
      'mail/lib/a.md': 'a',
    });
    symlinkSync(join(folder, 'mail/.git/config'), join(folder, 'mail/config.md'));
    const hidden = [
      '.git/config',
      'lib/../.git/config',
      '.env',
      'lib/.cache/x.md',
      'node_modules/a/index.js',
      'config.md',
    ];
    const { results } = await load(folder, [{ name: 'mail' }, ...hidden.map((file) => ({ name: 'mail', file }))]);
    const [list, ...loaded] = results;
    expect(list?.match(/^- .*/gm)).to.deep.equal(['- lib/a.md]']);
    expect(loaded).to.deep.equal(hidden.map((file) => `executed!: The skill mail has no file "${file}".`));
  });

  it('reads nothing outside the folder of a skill for any path', async () => {
    const [folder, outside] = [twoSkills(), tempFolder('outside')];
    write(outside, { 'secret.txt': 'SECRET', 'SKILL.md': skill('outer', 'x') });
    write(folder, { 'secret.txt': 'SECRET' });
    symlinkSync(outside, join(folder, 'pdf/link'));
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'pdf/secret.txt'));
    symlinkSync(join(folder, 'pdf/fields.md'), join(folder, 'pdf/inner.md'));
    const part = fc.constantFrom(
      '..',
      '.',
      'link',
      'secret.txt',
      'scripts',
      'mail',
      'pdf',
      '/',
      folder,
      outside,
      '\0',
      '%2e%2e',
      'fields.md',
      '..\\',
    );
    const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    const tool = skills({ folders: [folder] }).tools?.[0];
    fc.assert(
      fc.property(path, (file) => {
        const result = (() => {
          try {
            return JSON.stringify(tool?.execute({ name: 'pdf-forms', file }, {} as never));
          } catch (thrown) {
            return String(thrown);
          }
        })();
        expect(result).not.to.contain('SECRET').and.not.to.contain('Body of mail').and.not.to.contain('no skill');
      }),
      {
        numRuns: 500,
        examples: [['link/secret.txt'], ['secret.txt'], ['../secret.txt'], [join(outside, 'secret.txt')]],
      },
    );
    const { results } = await load(folder, [{ name: 'pdf-forms', file: 'inner.md' }, { name: 'pdf-forms' }]);
    expect(results[0]).to.equal('executed: field one');
    expect(results[1]).not.to.contain('link').and.not.to.contain('secret');
  });

  it('skips each invalid skill and reports it in the log and at the check', async () => {
    const [folder, other, outside] = [tempFolder('skills'), tempFolder('skills'), tempFolder('outside')];
    write(outside, { 'SKILL.md': skill('outer', 'x') });
    write(folder, {
      'a/SKILL.md': skill('same', 'One.'),
      'b/SKILL.md': skill('same', 'Two.'),
      'c/SKILL.md': 'no front matter',
      'd/SKILL.md': skill('d', 'x'.repeat(2_000)),
      'e/SKILL.md': Buffer.from([0, 1, 2]),
      'f/SKILL.md': skill('f', 'x', 'x'.repeat(200_000)),
    });
    mkdirSync(join(folder, 'g'));
    symlinkSync(join(outside, 'SKILL.md'), join(folder, 'g/SKILL.md'));
    symlinkSync(outside, join(folder, 'h'));
    write(other, { 'a/SKILL.md': skill('fine', 'Good.') });
    const issues = [
      '/c/SKILL.md: has no front matter: it must start with a line of ---',
      '/d/SKILL.md: has front matter whose description is longer than 1024 characters',
      '/e/SKILL.md: is not text',
      '/f/SKILL.md: is longer than 100000 bytes',
      '/g/SKILL.md: is a link out of the skill',
      '/h/SKILL.md: is a link out of the directory; add its target to `folders`',
      '/b/SKILL.md: has the same name "same" as /a/SKILL.md',
    ];
    const again = 'other/z/SKILL.md: has the same name "same" as /a/SKILL.md';
    write(other, { 'z/SKILL.md': skill('same', 'Three.') });
    const short = (text: string) => text.replaceAll(folder, '').replaceAll(other, 'other');
    const options = { folders: [folder, other] };
    const { requests, lines, results } = await load(folder, [{ name: 'fine' }, { name: 'd' }], { options });
    expect(lines.map(short)).to.deep.equal([...issues, again].map((issue) => `a skill is ignored: ${issue}`));
    expect(requests[0]?.[1]?.split('\n').slice(1)).to.deep.equal(['- fine: Good.', '- same: One.']);
    expect(results).to.deep.equal([
      'executed: Body of fine.',
      'executed!: There is no skill "d". There are: fine, same.',
    ]);
    const read = (given: object) => skillsEntry.optionsSchema.parse(given);
    expect(skillsEntry.notices?.(read(options)).map(({ path, message }) => [...path, short(message)])).to.deep.equal([
      ...issues.map((issue) => ['folders', 0, `contains a skill that is ignored: ${issue}`]),
      ['folders', 1, `contains a skill that is ignored: ${again}`],
    ]);
  });

  it('cannot be created with an unreadable folder', () => {
    const folder = twoSkills();
    expect(() => skills({ folders: [folder, join(folder, 'nowhere')] }))
      .to.throw(/^The hook "skills" cannot read its directories:\n {2}.*nowhere: cannot be read \(ENOENT/)
      .with.property('code', 'OPTIONS_INVALID');
  });

  it('reads added, changed and removed skills at the next request, and logs invalid ones', async () => {
    const folder = twoSkills();
    const doings = [
      () => write(folder, { 'new/SKILL.md': skill('new', 'Came later.') }),
      () => write(folder, { 'mail/SKILL.md': skill('mail', 'Writes long mails.') }),
      () => write(folder, { 'pdf/SKILL.md': '---\nname: pdf-forms\n---\n' }),
      () => rmSync(join(folder, 'mail'), { recursive: true }),
      () => rmSync(folder, { recursive: true }),
    ];
    const next = defineHook({ name: 'next', on: { postActing: () => doings.shift()?.() } });
    const { requests, lines } = await load(folder, Array(5).fill({ name: 'mail' }), { more: [next] });
    const listed = requests.map((request) =>
      request[1]?.includes('There are skills') ? request[1].split('\n').slice(1) : [],
    );
    expect(listed).to.deep.equal([
      ['- mail: Writes mails.', '- pdf-forms: Fills forms.'],
      ['- mail: Writes mails.', '- new: Came later.', '- pdf-forms: Fills forms.'],
      ['- mail: Writes long mails.', '- new: Came later.', '- pdf-forms: Fills forms.'],
      ['- mail: Writes long mails.', '- new: Came later.'],
      ['- new: Came later.'],
      [],
    ]);
    expect(lines.map((line) => line.replaceAll(folder, ''))).to.deep.equal([
      'a skill is ignored: /pdf/SKILL.md: has front matter whose description is missing',
      "a skill is ignored: : cannot be read (ENOENT: no such file or directory, lstat '')",
    ]);
  });

  it('lists nothing if its tool is not offered', async () => {
    const none = defineHook({
      name: 'none',
      priority: HookPriority.SECURITY,
      on: { preReasoning: (event) => modify(event, { tools: [] }) },
    });
    const { requests } = await load(twoSkills(), [], { more: [none] });
    expect(requests[0]).to.deep.equal(['system: Be kind.', 'user: go']);
  });

  it('serves concurrent calls, sub-agents and calls that wait for an approver', async () => {
    const child = createAgent({
      name: 'child',
      model: scriptedModel([{ toolCalls: [{ name: 'load_skill', input: { name: 'mail' } }] }, 'c']),
    });
    const ask = defineHook({
      name: 'ask',
      match: { tools: ['load_skill'] },
      approve: ({ toolCall }) => (toolCall.input['file'] ? verdict.suspend('May it?') : verdict.allow()),
    });
    const model = scriptedModel([
      {
        toolCalls: [
          { name: 'load_skill', input: { name: 'mail' } },
          { name: 'load_skill', input: { name: 'pdf-forms', file: 'fields.md' } },
          { name: 'child', input: { prompt: 'go' } },
        ],
      },
      'Done.',
    ]);
    const agent = createAgent({
      name: 'a',
      model,
      tools: [agentTool(child, { description: 'helps' })],
      pipeline: createPipeline([skills({ folders: [twoSkills()] }), ask]),
    });
    const seen: string[] = [];
    const note = (event: {
      type: string;
      run?: { agent: string };
      outcome?: string;
      snapshot?: unknown;
      toolCall?: { input: unknown };
    }) => {
      if (event.type === 'postActing')
        seen.push(`${event.run?.agent} ${event.outcome} ${JSON.stringify(event.toolCall?.input)}`);
      return event;
    };
    const post = await new Promise<{ snapshot?: unknown }>((resolve) =>
      agent
        .run('go')
        .subscribe((event) => note(event).type === 'postCall' && event.run.depth === 0 && resolve(event as never)),
    );
    const snapshot = JSON.parse(JSON.stringify(post.snapshot));
    await new Promise<void>((resolve) =>
      agent
        .resume(snapshot, { [snapshot.pending[0].key]: { approved: true } })
        .subscribe({ next: (event) => void note(event), complete: resolve }),
    );
    expect(seen.sort()).to.deep.equal([
      'a executed {"name":"mail"}',
      'a executed {"name":"pdf-forms","file":"fields.md"}',
      'a executed {"prompt":"go"}',
      'child executed {"name":"mail"}',
    ]);
  });

  it('rejects invalid options and reports a folder without skills', () => {
    for (const [options, issue] of [
      [{}, /folders: /],
      [{ folders: [] }, /folders: must contain at least one directory/],
      [{ folders: ['.'], toolName: 'a b' }, /toolName: must be a name/],
    ] as const)
      expect(() => skills(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
    const read = (options: object) => skillsEntry.optionsSchema.parse(options);
    const [empty, full] = [tempFolder('empty'), twoSkills()];
    expect(skillsEntry.notices?.(read({ folders: [full, empty] }))).to.deep.equal([
      { path: ['folders', 1], message: 'contains no directory with a SKILL.md' },
    ]);
    expect(skillsEntry.create(read({ folders: [empty], name: 'mine', toolName: 'use' }), {})).to.include({
      name: 'mine',
    });
  });

  it('keeps the hook contract', () => hookContract(skills({ folders: [twoSkills()] })));
});
