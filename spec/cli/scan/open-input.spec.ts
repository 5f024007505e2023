import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline, outcomeOf, start } from '../hookline.ts';

const SECRET = 'glpat-'.concat('Zx81kQ2mWv7RtY3nLp0s');
const files = folder({ 'two.txt': `a\n  token ${SECRET}\r\nü👩 ${SECRET} b\n` });

/** Output until `part` is printed. */
function printed(child: ChildProcess, part: string): Promise<void> {
  let text = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (data) => {
      text += data;
      if (text.includes(part)) resolve();
    });
  });
}

describe('hookline scan, inputs', () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    it(`ends on ${signal} during the wait for the writer of a named pipe`, async function () {
      if (process.platform === 'win32') {
        console.log('      skipped: Windows has no named pipes of this kind');
        return this.skip();
      }
      const pipe = join(folder({ 'a.txt': '' }), `pipe-${code}`);
      execFileSync('mkfifo', [pipe]);
      const child = start(['scan', 'two.txt', pipe], { cwd: files });
      const ended = once(child, 'exit');
      await printed(child, 'two.txt:3:5');
      // Time to open the pipe. If it was not opened yet, the signal still ends the process.
      await new Promise((resolve) => setTimeout(resolve, 100));
      child.kill(signal);
      expect(await ended).to.deep.equal([code, null]);
    });
  }

  it('reads a named pipe to its end', async () => {
    if (process.platform === 'win32') return;
    const pipe = join(folder({ 'a.txt': '' }), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const outcome = outcomeOf(start(['scan', pipe]));
    await writeFile(pipe, `x\n${SECRET}\n`);
    expect(await outcome).to.include({ code: 1, stdout: `${pipe}:2:1: gitlab-pat\n` });
  });

  it('applies a path rule of gitleaks only to matching paths', async () => {
    const rules = `[[rules]]\nid = "ini-login"\nregex = '''login=([a-z0-9]{8})'''\npath = '''(?i)(?:^|/)conf/.*\\.ini$'''\n`;
    const login = 'login=k3j9x2m8\n';
    const cwd = folder({ 'rules.toml': rules, 'conf/a.ini': login, 'conf/a.txt': login, 'a.ini': login });
    const scanned = await hookline(['scan', '--rules', 'rules.toml', 'a.ini', 'conf/a.txt', 'conf/a.ini', '-'], {
      cwd,
      input: login,
    });
    expect(scanned).to.deep.equal({ code: 1, stdout: 'conf/a.ini:1:7: ini-login\n', stderr: '' });
  });
});
