import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { folder, hookline, outcomeOf, start } from '../hookline.ts';
import { warmHookline } from '../warm-command.ts';

/** Long specs run in `npm run soak`. */
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

const SECRET = 'glpat-Zx81kQ2mWv7RtY3nLp0s';
const MARKER = '[REDACTED:gitlab-pat]';
const files = folder({
  'clean.txt': 'nothing\n',
  'two.txt': `a\n  token ${SECRET}\r\nü👩 ${SECRET} b\n`,
  'mark.txt': `\ufeff${SECRET}\n`,
  'image.png': 'PNG\0\0',
});

/** Output until `part` is printed. */
function printed(child: ChildProcess, part: string): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (data) => {
      text += data;
      if (text.includes(part)) resolve(text);
    });
  });
}

describe('hookline scan', () => {
  it('prints file, line, column and rule of each finding, and exits with 1', async () => {
    const [two, piped, json, marked] = await Promise.all([
      warmHookline(['scan', 'clean.txt', 'two.txt'], { cwd: files }),
      warmHookline(['scan'], { input: `x\n${SECRET}` }),
      warmHookline(['scan', '--json', '-', 'two.txt'], { cwd: files, input: SECRET }),
      warmHookline(['scan', 'mark.txt'], { cwd: files }),
    ]);
    expect(two).to.deep.equal({ code: 1, stdout: 'two.txt:2:9: gitlab-pat\ntwo.txt:3:5: gitlab-pat\n', stderr: '' });
    expect(piped).to.deep.equal({ code: 1, stdout: '-:2:1: gitlab-pat\n', stderr: '' });
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal([
      { file: '-', line: 1, column: 1, rule: 'gitlab-pat', confidence: 'format' },
      { file: 'two.txt', line: 2, column: 9, rule: 'gitlab-pat', confidence: 'format' },
      { file: 'two.txt', line: 3, column: 5, rule: 'gitlab-pat', confidence: 'format' },
    ]);
    expect(marked.stdout).to.equal('mark.txt:1:1: gitlab-pat\n');
  });

  it('exits with 0 without findings', async () => {
    expect(await warmHookline(['scan', 'clean.txt'], { cwd: files })).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await warmHookline(['scan', '-'])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
  });

  it('prints the text without secrets and otherwise unchanged', async () => {
    const [two, marked, clean] = await Promise.all([
      warmHookline(['scan', '--redact', 'two.txt'], { cwd: files }),
      buffer(start(['scan', '--redact', 'mark.txt'], { cwd: files }).stdout!),
      warmHookline(['scan', '--redact'], { input: 'no end of line \u001b[1m' }),
    ]);
    const text = readFileSync(join(files, 'two.txt'), 'utf8');
    expect(two).to.deep.equal({ code: 1, stdout: text.replaceAll(SECRET, MARKER), stderr: '' });
    expect(marked).to.deep.equal(Buffer.from(`\ufeff${MARKER}\n`));
    expect(clean).to.deep.equal({ code: 0, stdout: 'no end of line \u001b[1m', stderr: '' });
  });

  it('exits with 2 on bad usage, but still scans the readable files', async () => {
    const [missing, binary, directory, both, option, terminal] = await Promise.all([
      warmHookline(['scan', 'missing.txt', 'two.txt'], { cwd: files }),
      warmHookline(['scan', 'image.png'], { cwd: files }),
      warmHookline(['scan', '.'], { cwd: files }),
      warmHookline(['scan', '--json', '--redact']),
      warmHookline(['scan', '--redcat']),
      warmHookline(['scan', 'a\nb\u001b'], { cwd: files }),
    ]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.match(/^error: missing\.txt: ENOENT.*\n$/);
    expect(missing.stdout).to.include('two.txt:2:9');
    expect([binary.code, binary.stderr]).to.deep.equal([2, 'error: image.png: it is binary, not text\n']);
    expect(directory.code).to.equal(2);
    expect(directory.stderr).to.equal('error: .: it is a directory; pass its files\n');
    expect(both.code).to.equal(2);
    expect(both.stderr).to.include("'--json' cannot be used with option '--redact'");
    expect([option.code, option.stderr]).to.deep.equal([
      2,
      "error: unknown option '--redcat' (Did you mean --redact?)\n",
    ]);
    expect(terminal.stderr).to.include('error: a\\u{a}b\\u{1b}: ').and.not.include('\u001b');
  });

  it('never changes invalid UTF-8 silently: rejects a file and warns once about a pipe', async () => {
    const bytes = Buffer.concat([Buffer.from('\ufeffü\ufffd '), Buffer.from([0xfc, 0xfc]), Buffer.from(` ${SECRET}`)]);
    writeFileSync(join(files, 'latin1.txt'), bytes);
    writeFileSync(join(files, 'cut.txt'), Buffer.from('ab\u20ac').subarray(0, 4));
    const [file, listed, cut, piped, genuine] = await Promise.all([
      warmHookline(['scan', '--redact', 'latin1.txt', 'clean.txt'], { cwd: files }),
      warmHookline(['scan', 'latin1.txt'], { cwd: files }),
      warmHookline(['scan', '--redact', 'cut.txt'], { cwd: files }),
      hookline(['scan', '--redact'], { input: bytes }),
      warmHookline(['scan', '--redact'], { input: '\ufffd ok' }),
    ]);
    const error = 'it is not UTF-8 at byte 9, and redaction would change it; convert it first';
    expect(file).to.deep.equal({ code: 2, stdout: 'nothing\n', stderr: `error: latin1.txt: ${error}\n` });
    expect([listed.code, listed.stdout]).to.deep.equal([1, 'latin1.txt:1:7: gitlab-pat\n']);
    expect(listed.stderr).to.equal('warning: latin1.txt: it is not UTF-8 at byte 9\n');
    expect([cut.code, cut.stderr]).to.deep.equal([2, `error: cut.txt: ${error.replace('9', '2')}\n`]);
    expect([piped.code, piped.stdout]).to.deep.equal([1, `ü\ufffd \ufffd\ufffd ${MARKER}`]);
    expect(piped.stderr).to.match(/^warning: -: it is not UTF-8 at byte 9; such bytes are printed as U\+FFFD[^\n]*\n$/);
    expect(genuine).to.deep.equal({ code: 0, stdout: '\ufffd ok', stderr: '' });
  });

  it('scans UTF-16 with a byte order mark like UTF-8, and prints it in its encoding', async () => {
    const text = `\ufeffa\n  token ${SECRET}\r\nü👩 ${SECRET} b\n`;
    const wide = (shown: string, swap: boolean) => {
      const bytes = Buffer.from(shown, 'utf16le');
      return swap ? bytes.swap16() : bytes;
    };
    for (const swap of [false, true]) {
      writeFileSync(join(files, 'wide.txt'), wide(text, swap));
      const [listed, redacted] = await Promise.all([
        warmHookline(['scan', 'wide.txt'], { cwd: files }),
        buffer(start(['scan', '--redact', 'wide.txt'], { cwd: files }).stdout as NodeJS.ReadableStream),
      ]);
      const stdout = 'wide.txt:2:9: gitlab-pat\nwide.txt:3:5: gitlab-pat\n';
      expect(listed).to.deep.equal({ code: 1, stdout, stderr: '' });
      expect(redacted.equals(wide(text.replaceAll(SECRET, MARKER), swap))).to.equal(true);
    }
  });

  it("adds rules in gitleaks' format and reports those without effect", async () => {
    const toml = folder({
      'rules.toml': `[[rules]]
id = "badge"
regex = '''badge-[0-9]{6}'''
[[rules]]
id = "gitlab-pat"
regex = '''glpat-never'''
[[rules]]
id = "backwards"
regex = '''(a)\\1'''
[[rules]]
id = "names"
path = '''id_rsa'''`,
      'wrong.toml': '[[rules]]',
    });
    const rules = (name: string) => ['scan', '--rules', join(toml, name)];
    const input = `badge-123456 hf_${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbC'} ${SECRET}`;
    const [more, wrong, missing] = await Promise.all([
      warmHookline(rules('rules.toml'), { input }),
      warmHookline(rules('wrong.toml'), { input }),
      warmHookline(rules('missing.toml'), { input }),
    ]);
    expect(more.stdout).to.equal('-:1:1: badge\n-:1:14: huggingface-token\n');
    expect(more.code).to.equal(1);
    expect(more.stderr).to.match(/^warning: .*names.*\n/m);
    expect([wrong.code, wrong.stdout, missing.code]).to.deep.equal([2, '', 2]);
  });

  it('streams the redacted text, with characters and secrets split anywhere', async () => {
    const child = start(['scan', '--redact']);
    const ended = once(child, 'close');
    const redacted = printed(child, '] ');
    // Byte by byte, as far as a pipe keeps writes separate.
    for (const byte of Buffer.from(`zwölf 👩 ${SECRET} and`)) {
      child.stdin?.write(Buffer.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await redacted).to.match(/^zwölf 👩 \[REDACTED:[a-z-]+\] /);
    child.stdin?.end();
    expect((await ended)[0]).to.equal(1);
  });

  it('prints no half of a secret on Ctrl-C, and exits with 130', async () => {
    const child = start(['scan', '--redact']);
    const outcome = outcomeOf(child);
    child.stdin?.write(`first line\nsecond ${SECRET.slice(0, 16)}`);
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (data) => String(data).includes('second') && resolve());
    });
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcome;
    expect({ code, stderr }).to.deep.equal({ code: 130, stderr: '' });
    expect(stdout)
      .to.match(/^first line\nsecond /)
      .and.not.include('glpat-Z');
  });

  it('exits quietly with 141 when the reader of its output is gone', async () => {
    for (const option of ['--redact', '--json']) {
      const child = start(['scan', option]);
      let stderr = '';
      child.stderr?.on('data', (data) => {
        stderr += data;
      });
      child.stdin?.on('error', () => {});
      const more = setInterval(() => child.stdin?.write(`${SECRET}\n`.repeat(1_000)), 5);
      child.stdout?.once('data', () => child.stdout?.destroy());
      const [code] = await once(child, 'exit');
      clearInterval(more);
      expect([code, stderr]).to.deep.equal([141, '']);
    }
  });

  it('fails when its output cannot be written', async function () {
    if (!existsSync('/dev/full')) {
      console.log('      passed over: needs /dev/full, which only Linux has');
      this.skip();
    }
    const full = openSync('/dev/full', 'w');
    const child = start(['scan', '--redact', join(files, 'two.txt')], { stdio: ['ignore', full, 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    const [code] = await once(child, 'exit');
    closeSync(full);
    // 1 would mean that secrets were found.
    expect(code).to.equal(2);
    expect(stderr).to.match(/^error: stdout: ENOSPC/);
  });

  if (SOAK)
    it('needs constant memory for a pipe, with secrets and long lines', async function () {
      if (!existsSync('/proc/self/status')) {
        console.log('      passed over: needs /proc, which only Linux has');
        this.skip();
      }
      const child = start(['scan', '--redact'], { env: { NODE_OPTIONS: '--max-semi-space-size=1' } });
      const ended = once(child, 'close');
      let printed = 0;
      child.stdout?.on('data', (data) => {
        printed += data.length;
      });
      const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;
      const block = `${'All work and no play. '.repeat(2_900)}\n${`${SECRET}\n`.repeat(50)}`;
      const feed = async (megabytes: number) => {
        for (let fed = 0; fed < megabytes * 1_048_576; fed += block.length) {
          if (!child.stdin?.write(block)) await once(child.stdin as NodeJS.WritableStream, 'drain');
        }
      };
      await feed(12);
      const early = peak();
      await feed(48);
      const late = peak();
      child.stdin?.end();
      expect((await ended)[0]).to.equal(1);
      expect(printed).to.be.above(56 * 1_048_576);
      expect(late - early, `${early} MB, then ${late} MB`).to.be.below(30);
    });
});
