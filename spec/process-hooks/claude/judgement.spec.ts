import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  modify,
  type SettledEvent,
  type Tool,
  textOf,
} from 'hookline';
import {
  type ClaudeHooks,
  type ClaudeHooksOptions,
  type ClaudeSettings,
  claudeHooks,
  type Diagnostic,
} from 'hookline/process-hooks';
import { scriptedModel } from 'hookline/testing';
import { workspaceTools } from 'hookline/tools';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { tempFolder } from '../../temp-folder.ts';
import { say, specific } from './scene.ts';

let folder: string;
const open: ClaudeHooks[] = [];

const on = (commands: Record<string, string>, more: object = {}): ClaudeSettings => ({
  hooks: Object.fromEntries(
    Object.entries(commands).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command, ...more }] }]]),
  ),
});

/** A script in the folder of the spec. */
function script(name: string, body: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Runs an agent with these settings that calls one tool and says done. */
async function play(
  settings: ClaudeSettings,
  { tool, hooks = [], input = { command: 'ls' }, ...options }: ClaudeHooksOptions & Play = {},
) {
  const ran: unknown[] = [];
  const inputSchema = z.looseObject({});
  const kept = { name: 'run_command', description: 'Runs.', permission: 'external' as const };
  const own = tool ?? defineTool({ ...kept, inputSchema, execute: (given) => `ran ${ran.push(given)}` });
  const diagnostics: Diagnostic[] = [];
  const hook = claudeHooks(settings, { cwd: folder, onDiagnostic: (one) => diagnostics.push(one), ...options });
  open.push(hook);
  const model = scriptedModel([{ toolCalls: [{ name: own.name, input }] }, 'done']);
  const pipeline = createPipeline([hook, ...hooks]);
  const agent = createAgent({ name: 'a', model, tools: [own], pipeline });
  const events = (await lastValueFrom(agent.run('hello', { sessionId: 's' }).pipe(toArray()))) as SettledEvent[];
  const acted = events.find((event) => event.type === 'postActing');
  const end = events.at(-1);
  return { hook, ran, events, model, acted, end, diagnostics, codes: diagnostics.map(({ code }) => code) };
}

interface Play {
  readonly tool?: Tool;
  readonly hooks?: ReturnType<typeof defineHook>[];
  readonly input?: { readonly [member: string]: string };
}

describe('decisions of Claude Code hooks', () => {
  beforeEach(() => {
    folder = tempFolder('claude-judgement');
  });
  afterEach(() => Promise.all(open.splice(0).map((hook) => hook.close())));

  for (const command of [
    '~/deny.sh',
    'sh ~/deny.sh',
    'CONFIG=/etc/guard.json ./deny.sh',
    'env X=/a/b ./deny.sh',
    '${CLAUDE_PROJECT_DIR:-.}/deny.sh',
    './sp\\ ace/deny.sh',
    './nothere || ./deny.sh',
    'sh -u ./deny.sh',
    '[ -f ./nothere ] || ./deny.sh',
    'if true; then ./deny.sh; fi',
  ])
    it(`blocks on the script in "${command}", hidden from a static check`, async () => {
      script('deny.sh', 'echo "no way" >&2; exit 2');
      script('sp ace/deny.sh', 'echo "no way" >&2; exit 2');
      const { acted, ran, codes } = await play(on({ PreToolUse: command }), { env: { HOME: folder } });
      expect([acted?.outcome, ran.length, codes]).to.deep.equal(['denied', 0, []]);
    });

  it('applies JSON of a script with another exit code, at any path', async () => {
    script('deny.sh', `${specific('PreToolUse', { permissionDecision: 'deny' })}; exit 1`);
    const { acted } = await play(on({ PreToolUse: '~/deny.sh' }), { env: { HOME: folder } });
    expect(acted?.outcome).to.equal('denied');
  });

  for (const command of ['./gone.sh', '~/gone.sh', 'cd . && ./gone.sh --mode=x', 'node ./gone.js'])
    it(`does not treat the missing script in "${command}" as a policy`, async () => {
      const { acted, codes } = await play(on({ PreToolUse: command }), { env: { HOME: folder } });
      expect([acted?.outcome, codes]).to.deep.equal(['executed', ['script', 'handler-failed']]);
    });

  describe('a second run for a call that changed', () => {
    const moody = defineTool({
      name: 'run_command',
      description: 'Runs.',
      permission: 'external',
      inputSchema: z.object({ command: z.string(), mode: z.string().default('unsafe') }),
      execute: ({ mode }) => mode,
    });

    it('denies if it wants another input', async () => {
      const command = `grep -q unsafe && ${specific('PreToolUse', {
        permissionDecision: 'allow',
        updatedInput: { command: 'ls', mode: 'safe' },
      })}`;
      const { acted, codes } = await play(on({ PreToolUse: `${command} || true` }), { tool: moody });
      expect([acted?.outcome, codes]).to.deep.equal(['denied', ['no-input-here']]);
    });

    it('keeps the first rewriting if the schema only added fields', async () => {
      const command = specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'pwd' } });
      const { acted, codes } = await play(on({ PreToolUse: command }), { tool: moody });
      expect([acted?.outcome, acted?.toolCall.input, codes]).to.deep.equal([
        'executed',
        { command: 'pwd', mode: 'unsafe' },
        [],
      ]);
    });

    it('denies the change of a later hook', async () => {
      const late = defineHook({
        name: 'late',
        priority: 900,
        on: {
          preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'rm -rf /' } } }),
        },
      });
      const command = specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } });
      const { acted, ran } = await play(on({ PreToolUse: command }), { hooks: [late] });
      expect([acted?.outcome, ran]).to.deep.equal(['denied', []]);
    });

    it('gives the model its context', async () => {
      const command = `grep -q unsafe && ${specific('PreToolUse', { additionalContext: 'Mind the mode.' })} || true`;
      const { acted } = await play(on({ PreToolUse: command }), { tool: moody });
      expect(acted?.result.content).to.equal('unsafe\n\nMind the mode.');
    });
  });

  it('runs once for calls of workspace tools', async () => {
    writeFileSync(join(folder, 'a.txt'), 'text');
    const least: Record<string, Play['input']> = {
      read_file: { path: 'a.txt' },
      search_text: { pattern: 'text' },
      list_files: {},
    };
    for (const tool of workspaceTools({ root: folder })) {
      const input = least[tool.name];
      if (!input) continue;
      writeFileSync(join(folder, 'log'), '');
      const { acted } = await play(on({ PreToolUse: 'cat > /dev/null; echo asked >> log' }), { tool, input });
      expect([tool.name, acted?.outcome, readFileSync(join(folder, 'log'), 'utf8')]).to.deep.equal([
        tool.name,
        'executed',
        'asked\n',
      ]);
    }
  });

  it('passes a timeout to the command, and removes the description', async () => {
    const updatedInput = { command: 'pwd', timeout: 5_000, description: 'Where am I?' };
    const { ran, acted } = await play(on({ PreToolUse: specific('PreToolUse', { updatedInput }) }));
    expect([acted?.outcome, ran]).to.deep.equal(['executed', [{ command: 'pwd', timeoutMs: 5_000 }]]);
  });

  describe('PermissionRequest hooks', () => {
    const asks = specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' });
    const confirm = () => ({ verdict: 'approved' }) as const;
    const request = (command: string, more: object = {}) =>
      play(on({ PreToolUse: asks, PermissionRequest: command }, more), { confirm });

    it('denies the call with the reason to stop', async () => {
      const { acted } = await request(say({ continue: false, stopReason: 'over budget' }));
      expect([acted?.outcome, acted?.result.content]).to.deep.equal([
        'denied',
        'The call was denied by hook "claude-hooks": over budget',
      ]);
    });

    it('leaves a block without effect to the host, with a notice', async () => {
      const { acted, codes } = await request(say({ decision: 'block', reason: 'no' }));
      expect([acted?.outcome, codes]).to.deep.equal(['executed', ['cannot-block']]);
    });

    it("gets a notification of the host's prompt without delaying it", async () => {
      const { acted, hook } = await play(on({ PreToolUse: asks, Notification: 'sleep 0.3; cat > told.json' }), {
        confirm: () => ({ verdict: existsSync(join(folder, 'told.json')) ? 'denied' : 'approved' }) as never,
      });
      expect(acted?.outcome).to.equal('executed');
      await hook.close();
      expect(JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'))).to.include({
        hook_event_name: 'Notification',
        notification_type: 'permission_prompt',
        message: 'Sure? (Bash)',
      });
    });

    it('denies if a failure blocks', async () => {
      const { acted } = await request('exit 1', { onFailure: 'block' });
      expect(acted?.outcome).to.equal('denied');
    });

    it('reports that interrupt is not supported', async () => {
      const { acted, codes } = await request(
        specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no', interrupt: true } }),
      );
      expect([acted?.outcome, codes]).to.deep.equal(['denied', ['no-interrupt']]);
    });
  });

  for (const [event, output, code] of [
    ['PreToolUse', { permissionDecision: 'deny' }, 'misplaced'],
    ['PreToolUse', { permission: 'deny', reason: 'x' }, 'misplaced'],
    ['PreToolUse', { reason: 'x' }, 'reason-alone'],
    ['PostToolUse', { decision: 'approve' }, 'no-permission-here'],
    ['PostToolUse', { additionalContext: 'x' }, 'misplaced'],
    ['SessionStart', { decision: 'block' }, 'cannot-block'],
  ] as const)
    it(`reports that ${JSON.stringify(output)} has no effect at ${event}`, async () => {
      const { acted, codes } = await play(on({ [event]: say(output) }));
      expect([acted?.outcome, codes]).to.deep.equal(['executed', [code]]);
    });

  for (const [output, code] of [
    [{ continue: false }, 'cannot-stop'],
    [{ hookSpecificOutput: { hookEventName: 'SessionEnd', additionalContext: 'x' } }, 'no-context-here'],
  ] as const)
    it(`reports that ${JSON.stringify(output)} has no effect at SessionEnd`, async () => {
      const { hook, diagnostics } = await play(on({ SessionEnd: say(output) }));
      await hook.close();
      expect(diagnostics.map((one) => one.code)).to.deep.equal([code]);
    });

  it('adds nothing of invalid JSON to a prompt', async () => {
    const { model, codes } = await play(on({ UserPromptSubmit: say({ decision: 5 }) }));
    expect([model.requests[0]?.messages.map((message) => textOf(message)), codes]).to.deep.equal([
      ['hello'],
      ['bad-json'],
    ]);
  });

  it('reports why the run stops at Stop', async () => {
    const { events, end } = await play(on({ Stop: say({ continue: false, stopReason: 'over budget' }) }));
    const post = events.filter((event) => event.type === 'postReasoning').at(-1);
    expect([end?.type === 'postCall' && end.outcome, post?.notes?.map(({ message }) => message)]).to.deep.equal([
      'finished',
      ['over budget'],
    ]);
  });

  it('does not wait for the exit of a script after its timeout', async () => {
    const { acted } = await play(
      on({ PreToolUse: `trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done` }, { timeout: 0.3 }),
    );
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).not.to.throw();
    expect(acted?.outcome).to.equal('executed');
  });

  it('gives SessionEnd its own timeout, and async handlers time to finish', async () => {
    const settings: ClaudeSettings = {
      hooks: {
        SessionEnd: [{ hooks: [{ type: 'command', command: 'sleep 1.8; touch ended', timeout: 10 }] }],
        Stop: [{ hooks: [{ type: 'command', command: 'sleep 0.4; touch written', async: true }] }],
      },
    };
    const { hook, codes } = await play(settings);
    await hook.close();
    expect([existsSync(join(folder, 'ended')), existsSync(join(folder, 'written')), codes]).to.deep.equal([
      true,
      true,
      [],
    ]);
  });
});
