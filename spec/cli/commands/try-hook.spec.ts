import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { signalGroup } from '../../../lib/processes/signal-group.ts';
import { groupLives } from '../../../lib/processes/spawn-group.ts';
import { folder, outcomeOf, root, start } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const plugin = [process.execPath, join(root, 'samples/weather-plugin/weather-plugin.mjs')];

describe('hookline try-hook', () => {
  it('shows the input of a process hook, its output, and the effect', async () => {
    const input = join(folder({ 'in.json': '{"tool":"get_weather","arguments":{"city":"Beijing"}}' }), 'in.json');
    const { code, stdout } = await hookline([
      'try-hook',
      '--protocol',
      'picoclaw',
      '--event',
      'before_tool',
      '--input',
      input,
      '--',
      ...plugin,
    ]);
    expect(code).to.equal(0);
    expect(stdout).to.include('"method":"hook.hello"').and.include('"tool":"get_weather"');
    expect(stdout).to.match(/means:\n {2}decides respond: Beijing: sunny, 15 degrees/);
    expect(stdout).to.match(/took: [\d.]+ ms/);
  });

  it('shows the effect of a command hook, and parts without effect', async () => {
    const blocks = await hookline([
      'try-hook',
      '--protocol',
      'claude',
      '--event',
      'PreToolUse',
      '--',
      'echo no >&2; exit 2',
    ]);
    expect([blocks.code, blocks.stdout]).to.deep.equal([0, blocks.stdout]);
    expect(blocks.stdout)
      .to.include('exit code 2')
      .and.match(/means:\n {2}blocks: no/);
    const idle = await hookline(['try-hook', '--protocol', 'claude', '--event', 'PreToolUse', '--', 'exit 1']);
    expect(idle.code).to.equal(1);
    expect(idle.stdout).to.match(/but:\n {2}exited with 1, which is not a decision.*To block, exit with 2/);
  });

  const mask = [process.execPath, join(root, 'samples/process-hook-2/mask-word.mjs')];

  it('sends chunks through a hook of protocol 2 and shows its requests to the host', async () => {
    const input = join(folder({ 'in.json': '{"chunks":["a sword","fish"]}' }), 'in.json');
    const args = ['--protocol', 'hookline', '--event', 'reasoning_chunks', '--input', input, '--', ...mask];
    const { code, stdout } = await hookline(['try-hook', ...args]);
    expect([code, stdout]).to.deep.equal([0, stdout]);
    expect(stdout).to.include('"protocols":[1,2]').and.include('"chunks":["a sword","fish"],"last":true');
    expect(stdout).to.match(/means:\n {2}forwards \["a \*{9}"\]\n/);
    expect(stdout).to.match(
      /asked the host:\n {2}host\.state\.get .* -> \{"value":null\}\n {2}host\.state\.set .* -> \{\}/,
    );
  });

  it('sends the whole event to a hook of protocol 2 and lets it suspend', async () => {
    const source = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const result = method === 'hook.hello' ? { protocol: 2 } : { suspended: true, prompt: 'Run ' + params.event.toolCall.input.command + '?' };
      console.log(JSON.stringify({ id, result }));
    });`;
    const args = ['--protocol', 'hookline', '--event', 'approve_tool', '--', process.execPath, '-e', source];
    const { stdout } = await hookline(['try-hook', ...args]);
    expect(stdout).to.match(/means:\n {2}suspends the call: Run ls\?/);
  });

  for (const [what, args, code, issue] of [
    [
      'a hook that fails',
      ['--protocol', 'picoclaw', '--event', 'before_tool', '--', 'no-such-program'],
      1,
      /failed: .*could not be started/,
    ],
    [
      'a missing script',
      ['--protocol', 'claude', '--event', 'PreToolUse', '--', 'sh', './gone.sh'],
      1,
      /gone\.sh does not exist/,
    ],
    [
      'a protocol 1 hook tried as protocol 2',
      ['--protocol', 'hookline', '--event', 'before_tool', '--', ...plugin],
      1,
      /failed: .*uses protocol 1.*--protocol picoclaw/,
    ],
    ['an unknown event', ['--protocol', 'claude', '--event', 'PreToolus', '--', 'x'], 2, /Did you mean PreToolUse\?/],
    ['an unknown protocol', ['--protocol', 'cloud', '--event', 'x', '--', 'x'], 2, /Did you mean claude\?/],
    [
      'a missing input file',
      ['--protocol', 'claude', '--event', 'Stop', '--input', 'gone.json', '--', 'x'],
      2,
      /cannot read ".*gone\.json"/,
    ],
    ['a missing command', ['--protocol', 'claude', '--event', 'Stop'], 2, /missing required argument/],
  ] as const) {
    it(`exits with ${code} on ${what}`, async () => {
      const outcome = await hookline(['try-hook', ...args]);
      expect(outcome.code).to.equal(code);
      expect(outcome.stdout + outcome.stderr).to.match(issue);
    });
  }

  for (const [protocol, event, command, given, issues] of [
    ['picoclaw', 'before_tool', plugin, { tol: 'x', tool: 'y', hook_result: {} }, [/"tol".* Did you mean "tool"\?/]],
    ['hookline', 'reasoning_chunks', mask, { chunk: [], toolCallId: 'c' }, [/"chunk".* Did you mean "chunks"\?/]],
    ['hookline', 'before_tool', mask, { arguemnts: {} }, [/"arguemnts".* Did you mean "arguments"\?/]],
    [
      'claude',
      'PostToolUse',
      ['true'],
      { tool_inptu: {}, unheard_of: 1, duration_ms: 3, agent_id: 'a' },
      [/"tool_inptu".* Did you mean "tool_input"\?/, /"unheard_of", which PostToolUse .*There are: .*tool_response/],
    ],
  ] as const) {
    it(`reports only the fields of an input that ${event} of ${protocol} does not have`, async () => {
      const input = join(folder({ 'in.json': JSON.stringify(given) }), 'in.json');
      const args = ['try-hook', '--protocol', protocol, '--event', event, '--input', input, '--', ...command];
      const { stdout } = await hookline(args);
      const told = stdout.split('\n').filter((line) => line.includes('--input contains'));
      expect(told, stdout).to.have.length(issues.length);
      for (const [place, issue] of issues.entries()) expect(told[place]).to.match(issue);
      expect(stdout).to.match(/but:\n {2}--input contains/);
    });
  }

  for (const [protocol, method, welcome, reply] of [
    ['picoclaw', 'hook.hello', '[1]', '{}'],
    ['picoclaw', 'hook.before_tool', '{}', '[1]'],
    ['hookline', 'hook.before_tool', '{"protocol":2}', '[1]'],
  ] as const) {
    it(`fails a hook of ${protocol} that answers ${method} with a list`, async () => {
      const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id) console.log('{"id":' + id + ',"result":' + (method === 'hook.hello' ? '${welcome}' : '${reply}') + '}');
      });`;
      const words = ['--protocol', protocol, '--event', 'before_tool', '--', process.execPath, '-e', script];
      const { code, stdout } = await hookline(['try-hook', ...words]);
      expect([code, stdout]).to.deep.equal([1, stdout]);
      expect(stdout).to.match(new RegExp(`failed: .*answered ${method} with a list; a result must be an object`));
    });
  }

  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`leaves no process of the hook behind on ${signal}`, async () => {
      const at = folder();
      const script = 'sleep 600 & echo $$ > own; mv own pids; wait';
      const words = ['--protocol', 'picoclaw', '--event', 'before_tool', '--', 'sh', '-c', script];
      const tried = start(['try-hook', ...words], { cwd: at });
      const ended = outcomeOf(tried);
      while (!existsSync(join(at, 'pids'))) await new Promise((resolve) => setTimeout(resolve, 20));
      const group = Number(readFileSync(join(at, 'pids'), 'utf8'));
      try {
        tried.kill(signal);
        expect((await ended).code).to.equal(expected);
        for (let tries = 0; (await groupLives(group)) && tries < 40; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 25));
        expect(await groupLives(group), 'a process of the hook lives').to.equal(false);
      } finally {
        signalGroup(group, 'SIGKILL');
      }
    });
  }

  it('answers requests of a hook of protocol 1 like the host', async () => {
    const script = `
      const say = (message) => console.log(JSON.stringify(message));
      let asked;
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, error } = JSON.parse(line);
        if (method === 'hook.hello') say({ id, result: {} });
        else if (method === 'hook.before_tool') say({ id: 'own', method: 'host.log', params: (asked = id, {}) });
        else if (id === 'own') say({ id: asked, result: { action: 'deny_tool', reason: error.message } });
      });`;
    const words = ['--protocol', 'picoclaw', '--event', 'before_tool', '--', process.execPath, '-e', script];
    const { code, stdout } = await hookline(['try-hook', ...words]);
    expect([code, stdout]).to.deep.equal([0, stdout]);
    expect(stdout).to.match(/means:\n {2}decides deny: method not found: host\.log/);
    expect(stdout).to.match(/but:\n {2}called host\.log, which does not exist\./);
  });
});
