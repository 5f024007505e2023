import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { delay, firstValueFrom, of, Subject, throwError, toArray } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { explainCall } from '../../../lib/config/explain/explain-call.ts';
import type { Answer, AskFunction, Question } from '../../../lib/hooks/asking/ask-function.ts';
import { dangerousConfirmation } from '../../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../../lib/hooks/permission/permission-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { tempFolder } from '../../temp-folder.ts';
import { type Call, ran, results, sh, tools, workspace } from './permission-scene.ts';

const one = async (options: PermissionOptions, call: Call, host?: HookHost) =>
  (await results(options, [call], host))[0];
const no: AskFunction = () => ({ approved: false, reason: 'nobody likes it' });

describe('permission', () => {
  for (const [about, options, call, expected] of [
    ['runs a call that an allow rule matches', { allow: ['run_command(npm run:*)'] }, sh('npm run build'), ran],
    ['accepts tool names of Claude Code', { allow: ['Bash(npm run:*)'] }, sh('npm run build'), ran],
    ['accepts its own tool names with a wildcard', { allow: ['read_*'] }, ['read_file', { path: 'a' }], ran],
    ['allows a line that several rules cover', { allow: ['Bash(cd:*)', 'Bash(git:*)'] }, sh('cd x && git log'), ran],
    [
      'does not allow a line that rules cover in part',
      { allow: ['Bash(git:*)'] },
      sh('git log && rm x'),
      /asked|the rule Bash\(git:\*\) allows only a part of it/,
    ],
    [
      'prefers deny to ask and allow',
      { allow: ['Bash'], ask: ['Bash(rm:*)'], deny: ['Bash(rm -rf:*)'] },
      sh('rm -rf x'),
      'the rule Bash(rm -rf:*) denies it.',
    ],
    [
      'prefers ask to allow',
      { allow: ['Bash'], ask: ['Bash(rm:*)'] },
      sh('rm x'),
      'the rule Bash(rm:*) requires approval, and nobody likes it.',
    ],
    ['denies a line with a denied part', { allow: ['Bash'], deny: ['Bash(rm:*)'] }, sh('ls; rm x'), /denies it/],
    [
      'asks if a deny rule may match',
      { allow: ['Bash'], deny: ['Bash(rm:*)'] },
      sh('$CLEAN x'),
      /it is unclear whether the rule Bash\(rm:\*\) matches, and nobody/,
    ],
    [
      'asks about calls that match no rule',
      { allow: ['read_file'] },
      ['deploy', {}],
      'no rule matches it, and nobody likes it.',
    ],
    ['allows by default if set', { default: 'allow', deny: ['Bash'] }, ['deploy', {}], ran],
    ['denies by default if set', { default: 'deny', allow: ['Bash'] }, ['deploy', {}], 'no rule matches it.'],
    [
      'resolves path patterns from the workspace',
      { allow: ['Edit(./src/**)'], default: 'deny' },
      ['write_file', { path: 'src/a.ts' }],
      ran,
    ],
    [
      'treats deletions as edits in deny rules',
      { deny: ['Edit(.env)'], default: 'allow' },
      ['delete_file', { path: '.env' }],
      /Edit\(\.env\) denies/,
    ],
    [
      'treats deletions as edits in ask rules',
      { ask: ['Edit(./docs/**)'], default: 'allow' },
      ['delete_file', { path: 'docs/a.md' }],
      /the rule Edit\(\.\/docs\/\*\*\) requires approval/,
    ],
    [
      'does not allow deletions with an allow rule for all edits',
      { allow: ['Edit'], default: 'deny' },
      ['delete_file', { path: 'docs/a.md' }],
      'no rule matches it.',
    ],
    [
      'does not allow deletions with an allow rule for edits in a folder',
      { allow: ['Edit(./docs/**)'], default: 'deny' },
      ['delete_file', { path: 'docs/a.md' }],
      'no rule matches it.',
    ],
    [
      'allows deletions with an explicit rule',
      { allow: ['delete_file(./docs/**)'], default: 'deny' },
      ['delete_file', { path: 'docs/a.md' }],
      ran,
    ],
    [
      'accepts the name of an MCP server',
      { deny: ['mcp__github'], default: 'allow' },
      ['mcp__github__push', {}],
      /mcp__github denies/,
    ],
    [
      'accepts rules as objects: hosts',
      { allow: [{ tool: 'fetch', host: '*.example.com' }], default: 'deny' },
      ['fetch', { url: 'https://api.example.com/x' }],
      ran,
    ],
    [
      'accepts rules as objects: another host',
      { allow: [{ tool: 'fetch', host: '*.example.com' }], default: 'deny' },
      ['fetch', { url: 'https://example.com.evil.org' }],
      /no rule matches/,
    ],
    [
      'accepts rules as objects: input fields',
      { deny: [{ tool: 'deploy', input: { 'to.stage': 'prod*' } }], default: 'allow' },
      ['deploy', { to: { stage: 'production' } }],
      /denies it/,
    ],
    [
      'accepts rules as objects: an input field that is not a string',
      { deny: [{ tool: 'deploy', input: { to: 'prod' } }], default: 'allow' },
      ['deploy', { to: ['prod'] }],
      /it is unclear/,
    ],
    [
      'accepts rules as objects: permissions',
      { allow: [{ permission: ['read'] }], default: 'deny' },
      ['read_file', { path: 'a' }],
      ran,
    ],
    [
      'accepts rules as objects: words',
      { deny: [{ words: ['drop'] }], default: 'allow' },
      ['deploy', { sql: 'DROP TABLE x' }],
      /denies it/,
    ],
    [
      'accepts rules as objects: commands',
      { allow: [{ command: ['npm test', 'ls:*'] }], default: 'deny' },
      sh('ls -l && npm test'),
      ran,
    ],
    [
      'accepts rules as objects: inside',
      { deny: [{ path: 'outside' }], default: 'allow' },
      ['read_file', { path: 'a/b' }],
      ran,
    ],
    [
      'accepts rules as objects: outside',
      { deny: [{ path: 'outside' }], default: 'allow' },
      ['read_file', { path: 'a/../../b' }],
      /denies it/,
    ],
  ] as const satisfies readonly (readonly [string, PermissionOptions, Call, string | RegExp])[])
    it(about, async () => {
      const result = await one({ askBy: no, ...options }, call);
      if (typeof expected === 'string') expect(result).to.equal(expected);
      else expect(result).to.match(expected);
    });

  it('resolves links before it checks for inside', async () => {
    symlinkSync(tempFolder('elsewhere'), join(workspace, 'link'));
    expect(await one({ deny: [{ path: 'outside' }], default: 'allow' }, ['read_file', { path: 'link/x' }])).to.match(
      /denies/,
    );
  });

  it('judges the final call, including rewrites of later hooks', async () => {
    const rewrite = defineHook({
      name: 'rewrite',
      priority: 900,
      on: { preActing: (event) => ({ ...event, toolCall: { ...event.toolCall, input: { command: 'rm -rf /' } } }) },
    });
    const [result] = await results({ allow: ['Bash(ls)'], deny: ['Bash(rm:*)'] }, [sh('ls')], {}, [rewrite]);
    expect(result).to.match(/Bash\(rm:\*\) denies/);
  });

  it('prompts with the rule, the call and the scopes to remember', async () => {
    const asked: Question[] = [];
    const askBy: AskFunction = (question) => {
      asked.push(question);
      return true;
    };
    expect(await one({ ask: ['Bash(git push:*)'], askBy }, sh('git push origin'))).to.equal(ran);
    expect(asked[0]).to.include({ tool: 'run_command', rule: 'Bash(git push:*)' });
    expect(asked[0]?.remembers).to.deep.equal(['session']);
    expect(asked[0]?.prompt).to.include('Reason: the rule Bash(git push:*) requires approval');
  });

  it('prompts once per session for the same rule, but again in another session', async () => {
    let asked = 0;
    const askBy: AskFunction = () => {
      asked++;
      return { approved: true, remember: 'session' };
    };
    const host = { store: memoryStateStore() };
    const options: PermissionOptions = { ask: ['Bash(git push:*)', 'Bash(npm publish)'], askBy };
    const run = (session: string, ...calls: Call[]) => results(options, calls, host, [], session);
    expect(await run('s1', sh('git push a'), sh('git push b'))).to.deep.equal([ran, ran]);
    expect(await run('s1', sh('git push c'))).to.deep.equal([ran]);
    expect(asked).to.equal(1);
    await run('s1', sh('npm publish'));
    expect(asked, 'another rule').to.equal(2);
    await run('s2', sh('git push a'));
    expect(asked, 'another session').to.equal(3);
  });

  it('binds a session grant to the exact call if the rule matches only in part', async () => {
    let asked = 0;
    const askBy: AskFunction = () => {
      asked++;
      return { approved: true, remember: 'session' };
    };
    const host = { store: memoryStateStore() };
    const run = (command: string) => results({ ask: ['Bash(git push:*)'], askBy }, [sh(command)], host, [], 's');
    await run('git push a');
    await run('git push a && rm -rf x');
    expect(asked, 'a part').to.equal(2);
    await run('git push a && rm -rf y');
    expect(asked, 'another call').to.equal(3);
    await run('git push a && rm -rf y');
    await run('git push b');
    expect(asked, 'what was allowed').to.equal(3);
  });

  it('binds a session grant to the exact call if no rule asks', async () => {
    let asked = 0;
    const askBy: AskFunction = () => {
      asked++;
      return { approved: true, remember: 'session' };
    };
    const host = { store: memoryStateStore() };
    await results({ askBy }, [sh('ls'), sh('ls'), sh('ls -l')], host, [], 's');
    expect(asked).to.equal(2);
  });

  it('shows one prompt at a time for the same rule and denies each declined call', async () => {
    const open: Subject<Answer>[] = [];
    const askBy: AskFunction = () => {
      const answer$ = new Subject<Answer>();
      open.push(answer$);
      return answer$;
    };
    const both = results({ ask: ['deploy'], askBy }, [
      ['deploy', { a: 1 }],
      ['deploy', { a: 2 }],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(open).to.have.lengthOf(1);
    open[0]?.next(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(open).to.have.lengthOf(2);
    open[1]?.next(true);
    expect((await both).sort()).to.deep.equal(
      ['the rule deploy requires approval, and the user declined.', ran].sort(),
    );
  });

  it('writes an allow rule for "always" to the named file and applies it at once', async () => {
    const alwaysFile = join(tempFolder('permission'), 'deep', 'settings.json');
    mkdirSync(join(alwaysFile, '..'));
    writeFileSync(alwaysFile, '{\n  // reviewed by ann\n  "permissions": { "deny": ["Bash(rm:*)"] }\n}\n');
    let asked = 0;
    const askBy: AskFunction = ({ remembers }) => {
      asked++;
      return remembers?.includes('always') ? { approved: true, remember: 'always' } : false;
    };
    const options: PermissionOptions = { alwaysFile, askBy };
    expect(await results(options, [sh('npm test'), sh('npm test'), sh('npm test x')])).to.deep.equal([ran, ran, ran]);
    expect(asked).to.equal(2);
    const text = readFileSync(alwaysFile, 'utf8');
    expect(text)
      .to.include('// reviewed by ann')
      .and.include('"run_command(npm test)"')
      .and.include('"run_command(npm test x)"');
    // Another hook now uses the file.
    expect(await results(options, [sh('npm test')])).to.deep.equal([ran]);
    expect(asked).to.equal(2);
    expect(await one(options, sh('echo *.ts'))).to.match(/declined/);
    expect(await one(options, ['read_file', { path: 'a b.txt' }])).to.equal(ran);
  });

  it('protects its rule files from changes, even against allow rules', async () => {
    const folder = tempFolder('permission [1]');
    const file = join(folder, 'rules.json');
    writeFileSync(file, '{"allow":["*"]}');
    for (const [name, outcome] of [
      ['write_file', /denies it\.$/],
      ['delete_file', /denies it\.$/],
      ['read_file', /^ran$/],
    ] as const)
      expect((await results({ files: [file] }, [[name, { path: 'rules.json' }]], { workspace: folder }))[0]).to.match(
        outcome,
      );
  });

  it('reads Claude Code settings and reports ignored allow rules', async () => {
    const folder = tempFolder('permission');
    mkdirSync(join(folder, '.claude'));
    const file = join(folder, '.claude', 'settings.json');
    writeFileSync(
      file,
      JSON.stringify({
        model: 'x',
        permissions: { allow: ['Bash(npm run:*)', 'Read(/src/**)', '(what)'], deny: ['Read(.env)'] },
      }),
    );
    const warned: string[] = [];
    const log = { debug() {}, info() {}, warn: (_: unknown, text: string) => warned.push(text), error() {} };
    const hook = permission({ files: [file], askBy: no }, { workspace: folder });
    const run = createPipeline([hook], { log: log as never }).start({ agent: 'a' });
    const contents: unknown[] = [];
    for (const [name, input] of [
      sh('npm run x'),
      ['read_file', { path: 'src/a' }],
      ['read_file', { path: '.env' }],
    ] as Call[])
      for await (const event of await firstValueFrom(
        run.act({ id: `${contents.length}`, name, input: input as never }, tools).pipe(toArray()),
      ))
        if (event.type === 'postActing') contents.push(String(event.result.content).replace(/^.*"permission": /, ''));
    expect(contents).to.deep.equal([ran, ran, 'the rule Read(.env) denies it.']);
    expect(warned).to.have.lengthOf(1);
    expect(warned[0]).to.include('permissions.allow[2] is ignored');
  });

  it('reports invalid rules and files with their place', () => {
    const folder = tempFolder('permission');
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    for (const [options, told] of [
      [{ deny: ['Bash('] }, /deny\.0: .*the closing "\)" is missing/s],
      [{ alow: [] }, /alow/],
      [{ deny: [{ tool: 'x', pth: 'y' }] }, /pth/],
      [{ files: [join(folder, 'none.json')] }, /none\.json: there is no such file/],
      [{ files: [file('cut.json', '{\n"allow": [')] }, /cut\.json:\d is not JSON/],
      [{ files: [file('bad.yaml', 'allow: [a')] }, /bad\.yaml is not YAML/],
      [{ files: [file('typo.yaml', 'alow: [Bash]')] }, /typo\.yaml is not a file of permission rules:\n.*alow/],
      [{ files: [file('deny.json', '{"permissions":{"deny":["(x)"]}}')] }, /permissions\.deny\[0\]/],
    ] as const)
      expect(() => permission(options as never), JSON.stringify(options))
        .to.throw(told)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('denies when the store or the asker fails', async () => {
    const store = { ...memoryStateStore(), get: () => throwError(() => new Error('disk full')) };
    expect(await one({ askBy: () => true }, sh('ls'), { store }))
      .to.match(/failed/)
      .and.not.equal(ran);
    const thrower: AskFunction = () => {
      throw new Error('no line');
    };
    expect(await one({ askBy: thrower }, sh('ls'))).to.not.equal(ran);
    const late: AskFunction = () => of(true).pipe(delay(1_000));
    expect(await one({ askBy: late, timeoutMs: 5 }, sh('ls'))).to.match(/did not answer within 0\.005 s/);
  });

  it('shares one prompt with other approvers of the same asker', async () => {
    let asked = 0;
    const ask: AskFunction = () => {
      asked++;
      return true;
    };
    const danger = dangerousConfirmation({ askBy: ask });
    expect(await results({ ask: ['Bash'], askBy: ask }, [sh('rm x')], {}, [danger])).to.deep.equal([ran]);
    expect(asked).to.equal(1);
    const other = defineHook({ name: 'other', approve: () => verdict.deny('never') });
    expect(await results({ allow: ['Bash'] }, [sh('rm x')], {}, [other])).to.not.include(ran);
  });

  it('suspends, and runs after a yes', async () => {
    const pipeline = createPipeline([permission({ ask: ['deploy'], askBy: 'suspend' })]);
    const model = scriptedModel([{ toolCalls: [{ name: 'deploy', input: { to: 'prod' } }] }, { text: 'done' }]);
    const agent = createAgent({ name: 'a', model, tools, pipeline });
    const { outcome, snapshot } = await agent.call('go');
    expect(outcome).to.equal('suspended');
    const { pending } = snapshot as unknown as { pending: { key: string; prompt: string }[] };
    expect(pending[0]?.prompt).to.include('the rule deploy requires approval');
    const events = await firstValueFrom(
      agent.resume(snapshot as never, { [pending[0]?.key as string]: { approved: true } }).pipe(toArray()),
    );
    expect(events.flatMap((event) => (event.type === 'postActing' ? [event.result.content] : []))).to.deep.equal([ran]);
  });

  it('reports to explain which rule allows, asks or denies', async () => {
    const options: PermissionOptions = {
      allow: ['Bash(git:*)', 'Bash(cd:*)', { tool: 'deploy' }],
      deny: ['Bash(rm:*)'],
    };
    const hook = permission({ ...options, default: 'allow' }, { workspace });
    const explained = async (tool: string, input: object) => {
      const { decision, steps } = await explainCall([hook], { tool, input: input as never });
      return [decision.action, decision.reason ?? steps[0]?.reason];
    };
    const line = (command: string) => explained('run_command', { command });
    expect(await line('git log')).to.deep.equal(['proceed', 'the rule Bash(git:*) allows it']);
    expect(await line('cd x && git log')).to.deep.equal([
      'proceed',
      'the rules Bash(git:*) and Bash(cd:*) allow it together',
    ]);
    expect(await explained('deploy', {})).to.deep.equal(['proceed', 'the rule {"tool":"deploy"} allows it']);
    expect(await line('ls')).to.deep.equal(['proceed', 'no rule matches it']);
    expect(await line('rm x')).to.deep.equal(['deny', 'the rule Bash(rm:*) denies it.']);
  });

  it('lists the tools that it denies for any input, by both names', () => {
    const rules = { deny: ['Bash', 'send_*', 'Read(./secret/**)', { tool: 'x', permission: ['write' as const] }] };
    const hook = permission({ ...rules, allow: ['*'], default: 'deny' });
    const denied = (name: string, as: 'read' | 'write' | 'external' = 'external') =>
      hook.denies?.({ name, permission: as });
    expect(['run_command', 'Bash', 'send_mail', 'x'].map((name) => denied(name))).to.deep.equal([
      true,
      true,
      true,
      false,
    ]);
    expect([denied('x', 'write'), denied('read_file'), denied('other')]).to.deep.equal([true, false, false]);
  });

  it('keeps the hook contract', () => hookContract(permission({ ask: ['*'], askBy: no, allow: ['Bash'] })));
});
