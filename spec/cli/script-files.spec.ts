import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, start } from './hookline.ts';

const handler = (command: string) => [{ hooks: [{ type: 'command', command }] }];

/** A script that reads the conversation and reports it. `then` is its next action. */
const SETTINGS = (then: string) => ({
  hooks: {
    UserPromptSubmit: handler(`test -f "$(grep -o '/[^"]*jsonl')" && touch "$CLAUDE_PROJECT_DIR/seen"; ${then}`),
  },
});

describe('files for scripts of Claude Code hooks', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts the command with those hooks and a separate temporary folder. */
  function scene(then: string, args: readonly string[]) {
    const at = folder({ 'settings.json': JSON.stringify(SETTINGS(then)) });
    const temporary = join(at, 'tmp');
    mkdirSync(temporary);
    const env = { TMPDIR: temporary, XDG_STATE_HOME: join(at, 'xdg') };
    const child = start([...args, '--config', 'settings.json', '--workspace', at], { cwd: at, env });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
    return {
      child,
      output: () => output,
      files: () => readdirSync(temporary).filter((name) => name.startsWith('hookline-claude-')),
      async until(what: () => boolean, message: string): Promise<void> {
        for (let waits = 0; !what(); waits += 1) {
          if (waits > 1_000 || child.exitCode !== null) throw new Error(`no ${message}; it said: ${output}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
      seen: () => existsSync(join(at, 'seen')),
    };
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`deletes them after a run was ended by ${signal}, in a tool or a handler`, async () => {
      for (const then of ['true', 'sleep 60']) {
        const { child, files, until, seen, output } = scene(then, ['run', 'run sleep 60', '--json']);
        await until(() => seen() && (then !== 'true' || output().includes('"preActing"')), 'handler');
        expect(files()).to.have.length(1);
        child.kill(signal);
        await once(child, 'exit');
        expect(files()).to.deep.equal([]);
      }
    });

    it(`deletes them after a server was ended by ${signal}, also by a second one`, async () => {
      for (const then of ['true', 'sleep 60']) {
        const { child, files, until, seen, output } = scene(then, ['serve', '--port', '0', '--grace', '1', '--json']);
        const listening = () => /"url":"([^"]+)"/.exec(output())?.[1];
        const token = () => /hlk_[\w-]+/.exec(output())?.[0];
        await until(() => listening() !== undefined && token() !== undefined, 'server');
        // Answered when the run has begun. The handler delays it.
        const asked = fetch(`${listening()}/api/runs`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: 'hello' }),
        }).catch(() => undefined);
        await until(seen, 'handler');
        expect(files()).to.have.length(1);
        child.kill(signal);
        if (then !== 'true') {
          await until(() => output().includes('"draining"'), 'draining');
          child.kill(signal);
        }
        await once(child, 'exit');
        expect(files()).to.deep.equal([]);
        await asked;
      }
    });
  }
});
