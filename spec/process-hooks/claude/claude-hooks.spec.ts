import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  type Handlers,
  type HookContext,
  type Message,
  modify,
  type PostActing,
  type SettledEvent,
  textOf,
  verdict,
} from 'hookline';
import {
  type ClaudeHooks,
  type ClaudeHooksOptions,
  type ClaudeSettings,
  claudeHooks,
  type Diagnostic,
} from 'hookline/process-hooks';
import { anEvent, scriptedModel, scriptedTool } from 'hookline/testing';
import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import { z } from 'zod';
import { tempFolder } from '../../temp-folder.ts';
import { say, specific } from './scene.ts';

const all = <T>(source: Observable<T>): Promise<T[]> => lastValueFrom(source.pipe(toArray()));
let folder: string;
const open: ClaudeHooks[] = [];

/** A settings object with one command for an event. */
const on = (event: string, command: string, more: object = {}, matcher?: string): ClaudeSettings => ({
  hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command, ...more }] }] },
});

/** Runs an agent with these settings that runs one command and says done. */
async function play(
  settings: ClaudeSettings | string | readonly (ClaudeSettings | string)[],
  options: ClaudeHooksOptions = {},
  more: {
    turns?: Parameters<typeof scriptedModel>[0];
    hooks?: ReturnType<typeof defineHook>[];
    tool?: ReturnType<typeof scriptedTool>;
    result?: string | (() => never);
  } = {},
) {
  const diagnostics: Diagnostic[] = [];
  const hook = claudeHooks(settings, { cwd: folder, onDiagnostic: (one) => diagnostics.push(one), ...options });
  open.push(hook);
  const turns = more.turns ?? [{ toolCalls: [{ name: 'run_command', input: { command: 'ls' } }] }, 'done'];
  const model = scriptedModel(turns);
  const tool = more.tool ?? scriptedTool({ name: 'run_command', result: 'a.txt' });
  const agent = createAgent({
    name: 'a',
    model,
    tools: [tool],
    pipeline: createPipeline([hook, ...(more.hooks ?? [])]),
  });
  const events = (await all(agent.run('hello', { sessionId: 's' }))) as SettledEvent[];
  const of = <T extends SettledEvent['type']>(type: T) =>
    events.filter((event) => event.type === type) as Extract<SettledEvent, { type: T }>[];
  return {
    hook,
    diagnostics,
    codes: diagnostics.map(({ code }) => code),
    model,
    tool,
    acted: of('postActing')[0] as PostActing,
    end: of('postCall')[0],
    asked: (index: number) =>
      (model.requests[index]?.messages ?? []).map((message: Message) => `${message.role}: ${textOf(message)}`),
  };
}

/** The input that a script wrote to a file. */
function told(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

describe('Claude Code hooks', () => {
  beforeEach(() => {
    folder = tempFolder('claude-spec');
  });
  afterEach(() => Promise.all(open.splice(0).map((hook) => hook.close())));

  it('passes PreToolUse scripts the fields and names that they expect', async () => {
    const { acted } = await play(
      on(
        'PreToolUse',
        'cat > pre.json; test -f "$CLAUDE_PROJECT_DIR/pre.json"; cp "$(sed -E \'s/.*"transcript_path":"([^"]*)".*/\\1/\' pre.json)" transcript.jsonl',
        {},
        'Bash',
      ),
    );
    expect(acted.outcome).to.equal('executed');
    const input = told('pre.json');
    expect(input).to.include({
      session_id: 's',
      cwd: folder,
      hook_event_name: 'PreToolUse',
      permission_mode: 'default',
      tool_name: 'Bash',
    });
    expect(input['tool_input']).to.deep.equal({ command: 'ls' });
    const first = JSON.parse(readFileSync(join(folder, 'transcript.jsonl'), 'utf8').split('\n')[0] as string);
    expect(first).to.deep.include({ type: 'user', message: { role: 'user', content: 'hello' } });
  });

  for (const [what, command, outcome, content] of [
    ['exit 2', 'echo "not that" >&2; exit 2', 'denied', /not that/],
    ['a deny', specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'denied', /no/],
    ['the old form', say({ decision: 'block', reason: 'old' }), 'denied', /old/],
    [
      'an ask without an answer',
      specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      'denied',
      /sure\?.*No approver is available/,
    ],
    ['an allow', specific('PreToolUse', { permissionDecision: 'allow' }), 'executed', /a\.txt/],
    ['silence', 'true', 'executed', /a\.txt/],
    ['exit 1', 'exit 1', 'executed', /a\.txt/],
    [
      'exit 2 with an allow',
      `${specific('PreToolUse', { permissionDecision: 'allow' })}; echo bad >&2; exit 2`,
      'denied',
      /bad/,
    ],
    [
      'invalid JSON output and exit 2',
      `${say({ hookSpecificOutput: { permissionDecision: 'allow' } })}; echo odd >&2; exit 2`,
      'denied',
      /odd/,
    ],
    ['another event’s output', specific('PostToolUse', { permissionDecision: 'deny' }), 'executed', /a\.txt/],
  ] as const) {
    it(`ends a call as ${outcome} on ${what}`, async () => {
      const { acted, tool } = await play(on('PreToolUse', command));
      expect(acted.outcome).to.equal(outcome);
      expect(acted.result.content).to.match(content);
      expect(tool.calls.length).to.equal(outcome === 'executed' ? 1 : 0);
    });
  }

  for (const [program, script] of [
    ['jq', `jq -e '.tool_input.command | test("^ls")' > /dev/null && { echo "no ls" >&2; exit 2; } || true`],
    [
      'python3',
      `python3 -c 'import json,sys; c=json.load(sys.stdin)["tool_input"]["command"]; sys.exit(0 if c!="ls" else (print("no ls", file=sys.stderr) or 2))'`,
    ],
  ] as const) {
    it(`runs a guard written with ${program}`, async function () {
      if (spawnSync(program, ['--version']).error) {
        console.log(`      ${program} is not installed; this spec needs it`);
        this.skip();
      }
      const { acted } = await play(on('PreToolUse', script));
      expect([acted.outcome, acted.result.content.includes('no ls')]).to.deep.equal(['denied', true]);
    });
  }

  for (const [what, command] of [
    ['malformed JSON', `printf '{"decision": bad'`],
    ['an unknown decision', say({ decision: 'deny' })],
  ] as const) {
    it(`blocks on ${what} if failures block`, async () => {
      expect((await play(on('PreToolUse', command, { onFailure: 'block' }))).acted.outcome).to.equal('denied');
      expect((await play(on('PreToolUse', command))).acted.outcome).to.equal('executed');
    });
  }

  it('reads no conversation for an event without matching handlers', async () => {
    let read = 0;
    const hook = claudeHooks(on('PreToolUse', 'true', {}, 'Write'), { cwd: folder });
    open.push(hook);
    const context = (): HookContext =>
      ({
        signal: new AbortController().signal,
        get transcript() {
          read += 1;
          return [];
        },
      }) as unknown as HookContext;
    const act = async (name: string) => {
      const event = anEvent.preActing(name, { path: 'a', content: '' });
      const { preActing } = hook.on as Handlers;
      await lastValueFrom(from(preActing?.(event, context()) as Observable<unknown>), { defaultValue: undefined });
    };
    await act('run_command');
    expect(read).to.equal(0);
    await act('write_file');
    expect(read).to.equal(1);
  });

  it('does not run a call that was allowed with another input', async () => {
    const ask = on('PreToolUse', specific('PreToolUse', { permissionDecision: 'ask' }));
    const allow = on(
      'PermissionRequest',
      specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { command: 'safe' } } }),
    );
    const { acted, codes } = await play([ask, allow]);
    expect([acted.outcome, codes]).to.deep.equal(['denied', ['no-input-here']]);
  });

  it('does not shorten a timeout that exceeds the maximum of timers', async () => {
    expect((await play(on('PreToolUse', 'echo no >&2; exit 2', { timeout: 3_000_000 }))).acted.outcome).to.equal(
      'denied',
    );
  });

  it('lets PermissionRequest hooks, then the host, answer an ask', async () => {
    const ask = on(
      'PreToolUse',
      specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
    );
    const asked: string[] = [];
    const confirm = (_: unknown, reason: string) => {
      asked.push(reason);
      return verdict.allow();
    };
    expect((await play(ask, { confirm })).acted.outcome).to.equal('executed');
    expect(asked).to.deep.equal(['sure?']);
    const deny = on(
      'PermissionRequest',
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 'by rule' } }),
    );
    expect((await play([ask, deny], { confirm })).acted.result.content).to.match(/by rule/);
    expect(asked).to.have.length(1);
  });

  it('never overrides a host’s denial with an allow', async () => {
    const allow = on('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow' }));
    const { acted } = await play(
      allow,
      {},
      { hooks: [defineHook({ name: 'host', approve: () => verdict.deny('house rule') })] },
    );
    expect([acted.outcome, acted.result.content.includes('house rule')]).to.deep.equal(['denied', true]);
  });

  it('rewrites input through the tool table, in sequence, and evaluates the final call', async () => {
    const rewrite = (text: string) => specific('PreToolUse', { updatedInput: { command: text } });
    const both: ClaudeSettings = {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              { type: 'command', command: rewrite('first') },
              { type: 'command', command: 'cat >> second.jsonl; echo >> second.jsonl' },
            ],
          },
        ],
      },
    };
    const { tool } = await play(both);
    expect(tool.calls[0]?.input).to.deep.equal({ command: 'first' });
    const seen = () =>
      [...readFileSync(join(folder, 'second.jsonl'), 'utf8').matchAll(/"command":"(\w+)"/g)].map((one) => one[1]);
    expect(seen()).to.deep.equal(['first']);
    await play(both, { combine: 'parallel' });
    expect(seen()).to.deep.equal(['first', 'ls', 'first']);
  });

  it('evaluates a call again that a later hook changed', async () => {
    const guard = on('PreToolUse', 'grep -q "rm -rf" && { echo "no rm" >&2; exit 2; } || true');
    const later = defineHook({
      name: 'later',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'rm -rf /' } } }) },
    });
    const { acted, tool } = await play(guard, {}, { hooks: [later] });
    expect([acted.outcome, tool.calls.length]).to.deep.equal(['denied', 0]);
    expect(acted.result.content).to.match(/no rm/);
  });

  it('runs once for a call whose schema only reorders its fields', async () => {
    const tool = scriptedTool({
      name: 'run_command',
      inputSchema: z.object({ timeout: z.number(), command: z.string() }),
      result: 'a.txt',
    });
    const turns = [{ toolCalls: [{ name: 'run_command', input: { command: 'ls', timeout: 1 } }] }, 'done'];
    const { acted } = await play(on('PreToolUse', 'echo asked >> asked.txt'), {}, { turns, tool });
    expect(acted.outcome).to.equal('executed');
    expect(readFileSync(join(folder, 'asked.txt'), 'utf8')).to.equal('asked\n');
  });

  it('runs again for a call with another placeholder of the same label', async () => {
    const forged = { $sealed: 'token', nonce: 'a guess of the model' };
    const turns = [{ toolCalls: [{ name: 'run_command', input: { command: 'ls', forged } }] }, 'done'];
    const sealing = defineHook({
      name: 'sealing',
      on: {
        preActing: (event, { seal }) => {
          const input = { ...event.toolCall.input, forged: seal('token', 'real') as unknown as string };
          return modify(event, { toolCall: { ...event.toolCall, input } });
        },
      },
    });
    const { tool } = await play(on('PreToolUse', 'echo asked >> asked.txt'), {}, { turns, hooks: [sealing] });
    expect(tool.calls[0]?.input).to.include({ forged: 'real' });
    expect(readFileSync(join(folder, 'asked.txt'), 'utf8')).to.equal('asked\nasked\n');
  });

  it('changes results, adds to them, and gets exactly one end of a call', async () => {
    const replaced = await play(on('PostToolUse', specific('PostToolUse', { updatedToolOutput: { stdout: 'clean' } })));
    expect(replaced.acted.result.content).to.equal('clean');
    const added = await play(on('PostToolUse', say({ decision: 'block', reason: 'run the tests' })));
    expect(added.acted.result.content).to.equal('a.txt\n\nrun the tests');
    const input = await play(on('PostToolUse', 'cat > post.json'));
    expect(input.acted.outcome).to.equal('executed');
    expect(told('post.json')['tool_response']).to.deep.equal({
      stdout: 'a.txt',
      stderr: '',
      interrupted: false,
      isImage: false,
    });
  });

  it('blocks the prompt or adds to it, and stores nothing of a blocked one', async () => {
    const blocked = await play(on('UserPromptSubmit', 'echo "not like this" >&2; exit 2'));
    expect([blocked.end?.outcome, textOf(blocked.end?.message as Message)]).to.deep.equal([
      'responded',
      'not like this',
    ]);
    expect(blocked.model.requests).to.have.length(0);
    const added = await play(on('UserPromptSubmit', 'echo "today is Monday"'));
    expect(added.asked(0)).to.deep.equal(['user: hello', 'user: today is Monday']);
    const stopped = await play(on('UserPromptSubmit', say({ continue: false, stopReason: 'closed' })));
    expect([stopped.end?.outcome, stopped.end?.reason]).to.deep.equal(['aborted', 'hook "claude-hooks": closed']);
  });

  it('starts a session once, and ends it on close', async () => {
    const settings: ClaudeSettings = {
      hooks: {
        SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command: 'echo "be brief"' }] }],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'cat > end.json' }] }],
      },
    };
    const { hook, asked } = await play(settings);
    expect(asked(0)).to.deep.equal(['user: be brief', 'user: hello']);
    expect(existsSync(join(folder, 'end.json'))).to.equal(false);
    await hook.close();
    expect(told('end.json')['reason']).to.equal('other');
  });

  it('ends async handlers on close', async () => {
    const command = 'echo $$ > id; exec sleep 600';
    const { hook, diagnostics } = await play(on('PreToolUse', command, { async: true }));
    while (!existsSync(join(folder, 'id'))) await new Promise((resolve) => setTimeout(resolve, 5));
    const id = Number(readFileSync(join(folder, 'id'), 'utf8'));
    expect(process.kill(id, 0)).to.equal(true);
    await hook.close();
    expect(() => process.kill(id, 0)).to.throw('ESRCH');
    expect(diagnostics.map(({ message }) => message)).to.deep.equal(['was cancelled (async).']);
  });

  it('ends async handlers and removes their files even if a SessionEnd callback throws', async () => {
    const settings: ClaudeSettings = {
      hooks: {
        PreToolUse: [
          { hooks: [{ type: 'command', command: 'cat > pre.json; echo $$ > id; exec sleep 600', async: true }] },
        ],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'exit 2' }] }],
      },
    };
    const onDiagnostic = ({ event }: Diagnostic) => {
      if (event === 'SessionEnd') throw new Error('told');
    };
    const { hook } = await play(settings, { onDiagnostic });
    const id = () => (existsSync(join(folder, 'id')) ? readFileSync(join(folder, 'id'), 'utf8').trim() : '');
    while (id() === '') await new Promise((resolve) => setTimeout(resolve, 5));
    const transcript = told('pre.json')['transcript_path'] as string;
    expect(existsSync(transcript)).to.equal(true);
    const thrown: unknown = await hook.close().catch((error: unknown) => error);
    expect((thrown as Error).message).to.equal('told');
    expect(existsSync(transcript)).to.equal(false);
    expect(() => process.kill(Number(id()), 0)).to.throw('ESRCH');
  });

  it('keeps nothing of sessions without SessionEnd hooks', async () => {
    const kept = async (event: string): Promise<number> => {
      const hook = claudeHooks(on(event, 'true'), { cwd: folder });
      const refs = Array.from({ length: 50 }, (_, place) => {
        const context = { transcript: [] } as unknown as HookContext;
        const end = { ...anEvent.postCall('done') };
        const { postCall } = hook.on as Handlers;
        postCall?.({ ...end, run: { ...end.run, sessionId: `s${place}` } }, context);
        return new WeakRef(context);
      });
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      for (let round = 0; round < 3; round++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        collect();
      }
      const alive = refs.filter((ref) => ref.deref() !== undefined).length;
      // It would keep them in memory.
      expect(hook.name).to.be.a('string');
      return alive;
    };
    expect(await kept('SessionEnd')).to.equal(50);
    expect(await kept('PreToolUse')).to.be.below(10);
  });

  it('reports an async handler that cannot run', async () => {
    const settings: ClaudeSettings = {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', args: ['\0'], async: true }] }] },
    };
    const { hook, acted, diagnostics } = await play(settings);
    await hook.close();
    expect(acted.outcome).to.equal('executed');
    expect(diagnostics.map(({ message }) => message).join()).to.match(
      /^could not be started: .*null bytes.* \(async\)\.$/,
    );
  });

  for (const event of ['PreCompact', 'MessageDisplay']) {
    it(`reports that ${event} is not supported`, () => {
      const diagnostics: Diagnostic[] = [];
      open.push(claudeHooks(on(event, 'true'), { onDiagnostic: (one) => diagnostics.push(one) }));
      const message = `the settings has hooks for ${event}, which never happens here.`;
      expect(diagnostics).to.deep.equal([{ code: 'no-moment', event, message }]);
    });
  }

  for (const [command, foreseen] of [
    ['exit 0', undefined],
    ['echo no >&2; exit 2', { action: 'deny', reason: 'no' }],
    [
      specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' }),
      { action: 'suspend', prompt: 'Sure?' },
    ],
  ] as const)
    it(`reports in a dry run the outcome of "${command}" without another prompt`, async () => {
      const counted = `echo asked >> log; ${command}`;
      const hook = claudeHooks(on('PreToolUse', counted), { cwd: folder, confirm: () => verdict.allow() });
      open.push(hook);
      const run = createPipeline([hook]).start({ agent: 'a', dryRun: true });
      const tool = scriptedTool({ name: 'run_command', result: 'a.txt' });
      const call = { id: 'c', name: 'run_command', input: { command: 'ls' } };
      const acted = await all(run.act(call, [tool]));
      const judged = acted.find((event) => event.type === 'preActing');
      if (foreseen) expect(judged?.decision).to.deep.include(foreseen);
      else expect(judged?.decision).to.equal(undefined);
      expect(readFileSync(join(folder, 'log'), 'utf8')).to.equal('asked\n');
    });

  it('makes the model continue when Stop blocks, informs the script, and stops at the cap', async () => {
    const once = await play(
      on('Stop', `cat > stop.json; grep -q '"stop_hook_active":true' stop.json || { echo "tests first" >&2; exit 2; }`),
      {},
      { turns: ['done?', 'done!'] },
    );
    expect(textOf(once.end?.message as Message)).to.equal('done!');
    expect(once.asked(1).at(-1)).to.equal('user: tests first');
    expect(told('stop.json')).to.include({
      stop_hook_active: true,
      stop_hook_count: 1,
      last_assistant_message: 'done!',
    });
    const always = await play(on('Stop', 'echo again >&2; exit 2'), { stopCap: 2 }, { turns: ['1', '2', '3', '4'] });
    expect(textOf(always.end?.message as Message)).to.equal('3');
    expect(always.codes).to.include('stop-cap');
  });

  it('gets an event for a failed model', async () => {
    const { end } = await play(on('StopFailure', 'cat > failure.json'), {}, { turns: [{ error: 'overloaded' }] });
    expect(end?.outcome).to.equal('failed');
    expect(told('failure.json')['error_details']).to.match(/overloaded/);
  });

  it('posts to a URL, whose status cannot block', async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        bodies.push([request.headers['x-key'], JSON.parse(body).tool_name]);
        response
          .writeHead(request.url === '/deny' ? 200 : 500)
          .end(
            '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"by post"}}',
          );
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    process.env['HOOKLINE_SPEC_KEY'] = 'k';
    const http = (path: string): ClaudeSettings => ({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              {
                type: 'http',
                url: `http://127.0.0.1:${port}${path}`,
                headers: { 'x-key': '$HOOKLINE_SPEC_KEY$HOME' },
                allowedEnvVars: ['HOOKLINE_SPEC_KEY'],
              },
            ],
          },
        ],
      },
    });
    try {
      expect((await play(http('/deny'))).acted.result.content).to.match(/by post/);
      const failed = await play(http('/broken'));
      expect([failed.acted.outcome, failed.codes]).to.deep.equal(['executed', ['handler-failed']]);
      expect(bodies).to.deep.equal([
        ['k', 'Bash'],
        ['k', 'Bash'],
      ]);
    } finally {
      server.close();
      delete process.env['HOOKLINE_SPEC_KEY'];
    }
  });

  it('accepts a timeout that is not an integer of milliseconds', async () => {
    const server = createServer((_, response) => void response.end('{"continue":false,"stopReason":"by post"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const { end } = await play({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'http', url, timeout: 8.037 }] }] },
      });
      expect(Number.isInteger(8.037 * 1_000)).to.equal(false);
      expect(end?.outcome).to.equal('aborted');
    } finally {
      server.close();
    }
  });

  it('ends a late command with all its child processes', async () => {
    const { acted, codes } = await play(on('PreToolUse', 'sleep 30 & sleep 30', { timeout: 0.2 }));
    expect([acted.outcome, codes]).to.deep.equal(['executed', ['handler-failed']]);
    const closed = await play(on('PreToolUse', 'sleep 30', { timeout: 0.2, onFailure: 'block' }));
    expect(closed.acted.outcome).to.equal('denied');
  });

  for (const [what, command] of [
    ['on standard error', `head -c 20000 /dev/zero | tr '\\0' x >&2; exit 2`],
    [
      'in a denial',
      `"${process.execPath}" -e 'const permissionDecisionReason = "x".repeat(20000); console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason } }))'`,
    ],
  ] as const) {
    it(`writes a long reason ${what} to a file and gives the model its beginning`, async () => {
      const { acted } = await play(on('PreToolUse', command));
      expect(acted.outcome).to.equal('denied');
      const [shown, file = ''] =
        /x+\n\[18000 more characters; the full text is in (.*)\]$/.exec(acted.result.content) ?? [];
      expect(shown?.length).to.be.within(2_000, 3_000);
      expect(readFileSync(file, 'utf8')).to.equal('x'.repeat(20_000));
    });
  }

  it('runs a command in bash if its settings require it', async function () {
    if (spawnSync('bash', ['-c', 'true']).status !== 0) {
      console.log('      bash is not here');
      this.skip();
    }
    const command = '[[ $BASH_VERSION == [0-9]* ]] && echo "said in bash" >&2 && exit 2';
    const { acted } = await play(on('PreToolUse', command, { shell: 'bash' }));
    expect(acted.result.content).to.include('said in bash');
  });

  it('does not wait for an async command', async () => {
    // Otherwise the spec would time out.
    await play(on('PreToolUse', 'sleep 600', { async: true }));
  });

  for (const [what, command, code] of [
    ['exit 1 as a block', 'exit 1', 'exit-code'],
    ['JSON on standard error', 'echo "{}" >&2', 'json-on-stderr'],
    ['text output', 'echo hi', 'text-ignored'],
    ['malformed JSON', 'echo "{oops"', 'bad-json'],
    ['JSON that requests background execution', say({ async: true, asyncTimeout: 5_000 }), 'async-printed'],
    ['a first line that requests it', `${say({ async: true })}; echo; echo working`, 'async-printed'],
    ['another event’s output', specific('Stop', {}), 'foreign-event'],
  ] as const) {
    it(`reports that ${what} has no effect`, async () => {
      const { codes } = await play(on('PreToolUse', command));
      expect(codes).to.include(code);
    });
  }

  it('does not report async: false, or async that the settings contain', async () => {
    const { codes } = await play(on('PreToolUse', say({ async: false })));
    expect(codes).to.deep.equal([]);
    const { codes: set } = await play(on('PreToolUse', say({ async: true }), { async: true }));
    expect(set).to.deep.equal([]);
  });

  it('distinguishes a missing script from a policy', async () => {
    const { acted, diagnostics } = await play(on('PreToolUse', './gone.sh'));
    expect(acted.outcome).to.equal('executed');
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['script', 'handler-failed']);
    expect(diagnostics[1]?.message).to.match(/gone\.sh does not exist/);
    writeFileSync(join(folder, 'no-x.sh'), '#!/bin/sh\nexit 0\n');
    chmodSync(join(folder, 'no-x.sh'), 0o644);
    expect((await play(on('PreToolUse', './no-x.sh'))).diagnostics[0]?.message).to.match(/may not be executed/);
  });

  it('reads files, deduplicates handlers, and reports ignored settings', async () => {
    const file = join(folder, 'settings.json');
    writeFileSync(file, JSON.stringify({ ...on('PreToolUse', 'echo x >> count'), model: 'x' }));
    const other: ClaudeSettings = {
      hooks: {
        PreCompact: [{ hooks: [] }],
        PreToolUse: [{ hooks: [{ type: 'agent' }, { type: 'command', command: 'exit 2', if: 'Bash(git *)' }] }],
      },
    };
    const { codes } = await play([file, file, other]);
    expect(readFileSync(join(folder, 'count'), 'utf8')).to.equal('x\n');
    expect(codes).to.have.members(['no-moment', 'no-handler']);
    expect(() => claudeHooks(join(folder, 'gone.json'))).to.throw(/cannot read ".*gone\.json"/);
    expect(() => claudeHooks({ hooks: { Stop: 5 } } as never)).to.throw(/hooks\.Stop/);
  });
});
