import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { outcomeOf } from '../cli/hookline.ts';
import { isBuilt } from '../is-built.ts';
import { tempFolder } from '../temp-folder.ts';

const root = join(__dirname, '../..');
const words = [...(isBuilt() ? [] : ['-C', 'hookline:source']), '-r', 'ts-node/register', 'samples/story.ts'];
const ESCAPE = String.fromCharCode(27);
const scripts = spawnSync('script', ['--version']).status === 0;

// The story leaves its audit log for the reader, in the temporary folder of the system.
const temporary = tempFolder('story');
function environment(): NodeJS.ProcessEnv {
  const { NO_COLOR: _, ...env } = process.env;
  return { ...env, TMPDIR: temporary, TEMP: temporary, TERM: 'xterm' };
}

async function piped(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...words, ...args], { cwd: root, env: environment(), stdio: 'pipe' });
  child.stdin.end();
  const { code, stdout, stderr } = await outcomeOf(child);
  expect(stderr).to.equal('');
  expect(code).to.equal(0);
  return stdout;
}

/** The story in a separate terminal. `heard` waits for a text on it. */
function onTerminal(): { child: ChildProcess; text(): string; heard(what: string): Promise<void> } {
  // `exec` replaces the shell, which would otherwise exit on Ctrl-C instead of the story.
  const line = `exec ${[process.execPath, ...words].map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: root, env: environment(), stdio: 'pipe' });
  let text = '';
  let wake = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece;
    wake();
  });
  child.on('close', () => wake());
  return {
    child,
    text: () => text,
    async heard(what) {
      while (!text.includes(what)) {
        if (child.exitCode !== null) throw new Error(`it has ended without ${what}:\n${text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

describe('samples/story', () => {
  it('shows a secret, a rewritten call, an approval and a denial, with code and audit entry', async () => {
    const text = await piped();
    expect(text).not.to.include(ESCAPE);
    expect(text).to.include('is corr|ect-horse-ba|ttery, |');
    expect(text).to.include('The password is [REDACTED:db-password], and the port is 5432.');
    expect(text).to.include('The model calls read_file {"path":"LICENCE"}\n→ read_file {"path":"LICENSE"}');
    expect(text).to.include('✓ executed: MIT License');
    expect(text).to.include(
      '? May delete_file run with {"path":"draft.txt"}? [Y/n] nobody answers, so the story says yes',
    );
    expect(text).to.include('✗ denied: The call was denied by hook "no-force": never with --force');
    expect(text.match(/^audit: \{.*\}$/gm)).to.have.length(4);
    const source = readFileSync(join(root, 'samples/story/hooks.ts'), 'utf8');
    const shown = [...text.matchAll(/(?:^ {2}│ .*\n)+/gm)].map(([block]) => block.replaceAll(/^ {2}│ /gm, '').trim());
    expect(shown).to.have.length(4);
    for (const code of shown) expect(source).to.include(code);
    const [, file] = /^The whole audit: (.+)$/m.exec(text)!;
    expect(readFileSync(file!, 'utf8')).to.include('"tool_call_denied"').and.not.include('correct-horse');
    const [, recordings] = /inspect (\S+)\/\*\.jsonl$/m.exec(text)!;
    const recorded = readdirSync(recordings!).map((name) => readFileSync(join(recordings!, name), 'utf8'));
    expect(recorded).to.have.length(4);
    expect(recorded.join('')).to.include('"hook":"secrets"').and.not.include('ect-horse');
  });

  it('shows the purpose of each hook with --without', async () => {
    const [secrets, spelling, asking, force, audit] = await Promise.all(
      ['secrets', 'spelling', 'ask-first', 'no-force', 'audit-log'].map((hook) => piped('--without', hook)),
    );
    expect(secrets).to.include('The password is correct-horse-battery, and');
    expect(spelling).to.include('→ read_file {"path":"LICENCE"}\n✗ executed: "LICENCE" does not');
    expect(asking).to.include('✓ executed: Deleted').and.not.include('[Y/n]');
    expect(force)
      .to.match(/→ run_command .*\n✗ executed: /)
      .and.not.include('denied:');
    expect(audit).to.include('audit: nothing').and.not.include('The whole audit');
  });

  it('rejects an unknown hook in --without', async () => {
    const child = spawn(process.execPath, [...words, '--without', 'speling'], { cwd: root, env: environment() });
    const { code, stderr } = await outcomeOf(child);
    expect(code).to.equal(2);
    expect(stderr).to.equal(
      'The story has no hook "speling". It has secrets, spelling, ask-first, no-force, audit-log.\n',
    );
  });

  (scripts ? it : it.skip)('reads an answer from a terminal, then continues by itself (needs script)', async () => {
    const { child, text, heard } = onTerminal();
    await heard('[Y/n]');
    child.stdin!.write('n\n');
    await heard('README.md');
    if (child.exitCode === null) await once(child, 'close');
    expect(child.exitCode).to.equal(0);
    expect(text()).to.include(ESCAPE).and.include('and the user declined').and.not.include('nobody answers');
  });

  (scripts ? it : it.skip)('ends on Ctrl-C, within a scene and at the prompt (needs script)', async () => {
    const ends = ['log in to the database', '[Y/n]'].map(async (when) => {
      const { child, text, heard } = onTerminal();
      await heard(when);
      child.stdin!.write(String.fromCharCode(3));
      if (child.exitCode === null) await once(child, 'close');
      expect(child.exitCode).to.equal(0);
      expect(text().trimEnd().endsWith('Stopped.'), text()).to.equal(true);
    });
    await Promise.all(ends);
  });
});
