import { expect } from 'chai';
import { Command } from 'commander';
import fc from 'fast-check';
import { hook } from '../../../../lib/cli/commands/hook.ts';
import { readWorkerWords } from '../../../../lib/cli/host-hook/worker/read-worker-words.ts';

/** What the option parser of the command reads; `undefined` if it rejects the words. */
function parsed(words: readonly string[]): object | undefined {
  const command = new Command('hook').exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  hook(command);
  command.action(() => {});
  try {
    command.parse(words.slice(1), { from: 'user' });
  } catch {
    return undefined;
  }
  const { worker: _, ...flags } = command.opts();
  return { ...flags, idle: flags['idle'] ?? 900, timeout: flags['timeout'] ?? 25 };
}

const values = [
  'claude',
  'codex',
  'picoclaw',
  'safe',
  'none',
  'ask',
  'deny',
  '5',
  '601',
  '-1',
  'x',
  '',
  'a=b',
  '--ask',
];
const names = [
  '--as',
  '--config',
  '--hooks',
  '--preset',
  '--ask',
  '--timeout',
  '--idle',
  '--inbox',
  '--listen',
  '--what',
];
const switches = [
  '--daemon',
  '--fail-open',
  '--allow-weaker',
  '--worker',
  '--help',
  '--install',
  'x',
  '--',
  '-h',
  '--daemon=1',
];
const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(['--as', 'codex'], ['--preset', 'safe'], ['--daemon'], ['--timeout', '9']) },
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)).map(([name, value]) => [name, value]),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)).map(([name, value]) => [`${name}=${value}`]),
  fc.constantFrom(...switches).map((word) => [word]),
  fc.constantFrom(...names).map((word) => [word]),
);

describe('readWorkerWords', () => {
  it('reads all options of a usual call', () => {
    const words =
      'hook --as claude --config a.yaml --config=b.yaml --hooks ./m.ts --preset safe --ask deny --timeout 9'.split(' ');
    expect(
      readWorkerWords([...words, '--allow-weaker', '--fail-open', '--daemon', '--idle=7', '--worker']),
    ).to.deep.equal({
      as: 'claude',
      config: ['a.yaml', 'b.yaml'],
      hooks: ['./m.ts'],
      preset: 'safe',
      ask: 'deny',
      timeout: 9,
      allowWeaker: true,
      failOpen: true,
      daemon: true,
      idle: 7,
    });
  });

  it('reads words as the command does, or leaves them to it', () => {
    let read = 0;
    let left = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const words = ['hook', ...parts.flat(), '--worker'];
        const flags = readWorkerWords(words);
        if (flags) expect(flags, words.join(' ')).to.deep.equal(parsed(words));
        if (flags) read += 1;
        else left += 1;
      }),
      { numRuns: 400 },
    );
    expect(read).to.be.above(10);
    expect(left).to.be.above(10);
  });

  it('leaves what the command rejects, and what only the command reads, to it', () => {
    for (const words of [
      'hook --worker',
      'hook --as hermes --worker',
      'hook --as picoclaw --worker',
      'hook --as codex --preset best --worker',
      'hook --as codex --timeout 601 --worker',
      'hook --as codex --idle 9 --worker',
      'hook --as codex --config',
      'hook --as codex --inbox http://127.0.0.1:1 --worker',
      'hook --as codex --daemon-at x --worker',
      'mcp --as codex --worker',
    ])
      expect(readWorkerWords(words.split(' ')), words).to.equal(undefined);
  });
});
