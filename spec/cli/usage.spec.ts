import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createProgram } from '../../lib/cli/create-program.ts';
import { exitCodeOfError } from '../../lib/cli/exit-code-of-error.ts';
import { folder, root } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

/** Stderr lines of calls that must all exit with code 2. They share one process for speed. */
async function refusals(calls: readonly (readonly string[])[]): Promise<readonly string[]> {
  const told: string[] = [];
  const { write } = process.stderr;
  for (const args of calls) {
    let line = '';
    process.stderr.write = (text: string | Uint8Array) => {
      line += text;
      return true;
    };
    try {
      const code = await createProgram()
        .parseAsync([...args], { from: 'user' })
        .then(() => 0, exitCodeOfError);
      expect({ code, lines: line.split('\n').length }, args.join(' ')).to.deep.equal({ code: 2, lines: 2 });
    } finally {
      process.stderr.write = write;
    }
    told.push(line);
  }
  return told;
}

describe('hookline', () => {
  it('prints its version, and help with examples', async () => {
    const [version, help, runHelp, nothing, unknown] = await Promise.all([
      hookline(['--version']),
      hookline(['--help']),
      hookline(['run', '--help']),
      hookline([]),
      hookline(['run', 'x', '--modle', 'offline']),
    ]);
    const { version: expected } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(version).to.deep.equal({ code: 0, stdout: `${expected}\n`, stderr: '' });
    expect(help).to.include({ code: 0, stderr: '' });
    expect(help.stdout).to.include('Examples:').and.include('hookline run');
    expect(runHelp).to.include({ code: 0, stderr: '' });
    expect(runHelp.stdout)
      .to.match(/--approve <how>/)
      .and.match(/Exit codes:/)
      .and.match(/Examples:/);
    expect(nothing).to.include({ code: 2, stdout: '' });
    expect(nothing.stderr).to.include('Usage:');
    expect(unknown).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: "error: unknown option '--modle' (Did you mean --model?)\n",
    });
  });

  it('rejects unknown options in one line, with the nearest name', async () => {
    const [command, approve, level, model] = await refusals([
      ['rnu'],
      ['run', 'x', '--approve', 'yess'],
      ['run', 'x', '--log-level', 'warm'],
      ['run', 'x', '--model', 'scirpt:x'],
    ]);
    expect(command).to.include("unknown command 'rnu' (Did you mean run?)");
    expect(approve).to.include('--approve').and.include('ask, yes, no. Did you mean yes?');
    expect(level).to.include('--log-level').and.include('Did you mean warn?');
    expect(model).to.include('--model "scirpt:x"').and.include('Did you mean script:…?');
  });

  it('rejects invalid values before anything runs', async () => {
    const [iterations, empty, space, workspace, url, noUrl, many] = await refusals([
      ['run', 'x', '--max-iterations', '1.5'],
      ['run', ''],
      ['run', ' \n'],
      ['run', 'x', '--workspace', '/does/not/exist'],
      ['run', 'x', '--base-url', 'http://localhost/v1'],
      ['run', 'x', '--model', 'openai-compatible:m', '--base-url', 'localhost'],
      ['run', 'one', 'two'],
    ]);
    expect(iterations).to.include("'1.5' is invalid. It must be a whole number from 1.");
    expect(empty).to.include('The prompt is empty.');
    expect(space).to.include('The prompt is empty.');
    expect(workspace).to.include('--workspace "/does/not/exist": there is no such directory');
    expect(url).to.include('--base-url requires --model openai-compatible:<model>');
    expect(noUrl).to.include('requires --base-url <url>').and.include('not "localhost"');
    expect(many).to.include('too many arguments');
  });

  it('reports the file of a script, the place in it, and the expected content', async () => {
    const scripts = folder({
      'broken.json': '[{"text": ',
      'object.json': '{"text": "a"}',
      'member.json': '[{"text": "a"}, {"txet": "b"}]',
      'deep.json': '[{"toolCalls": [{"name": "x", "input": 3}]}]',
    });
    const names = ['broken.json', 'object.json', 'member.json', 'deep.json', 'missing.json'];
    const told = await refusals(names.map((name) => ['run', 'x', '--model', `script:${join(scripts, name)}`]));
    for (const [index, name] of names.entries()) expect(told[index]).to.include(name);
    expect(told[0]).to.include('is not JSON').and.include('array of model turns');
    expect(told[1]).to.include('expected array').and.include('array of model turns');
    expect(told[2]).to.include('[1]: Unrecognized key: "txet"');
    expect(told[3]).to.include('[0].toolCalls[0].input: ');
    expect(told[4]).to.include('cannot be read').and.include('ENOENT');
  });
});
