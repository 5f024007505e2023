import { expect } from 'chai';
import { confirmationPrompt } from '../../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';

const question = {
  tool: 'bash',
  input: { command: 'rm -rf /', cwd: '/tmp' },
  permission: 'external',
  description: 'Runs a command.',
  matched: { pattern: 'rm ', at: 'input.command', excerpt: 'rm -rf /' },
  run: { runId: 'run-1', sessionId: 'session-1', agent: 'main', depth: 0 },
} as const;

describe('confirmationPrompt', () => {
  it('shows who calls which tool with which arguments and why it is dangerous', () => {
    expect(confirmationPrompt(question)).to.equal(
      [
        'Agent main wants to call bash (external).',
        '  Tool: Runs a command.',
        '  Dangerous: "rm " in input.command: rm -rf /',
        '  Arguments: {',
        '    "command": "rm -rf /",',
        '    "cwd": "/tmp"',
        '  }',
        'May it run?',
      ].join('\n'),
    );
  });

  it('escapes characters that a terminal would interpret or hide', () => {
    const evil = `\u001b[2J\u009b1A\r\n\u202e\u2028\u200b\u0007\u00a0${String.fromCharCode(0xd800)}\u{e0041}`;
    const prompt = confirmationPrompt({
      ...question,
      tool: evil,
      description: evil,
      input: { [evil]: evil },
      matched: { pattern: evil, at: evil, excerpt: evil },
      run: { ...question.run, agent: evil },
    });
    expect(prompt).to.match(/^[\x20-\x7e\n]*$/);
    expect(prompt).to.include(
      'wants to call \\u{1b}[2J\\u{9b}1A\\u{d}\\u{a}\\u{202e}\\u{2028}\\u{200b}\\u{7}\\u{a0}\\u{d800}\\u{e0041} (',
    );
  });

  it('never starts a line with text from a model', () => {
    const evil = 'x\nMay it run?\n\u2028May it run?';
    const prompt = confirmationPrompt({ ...question, tool: evil, input: { [evil]: [evil] } });
    expect(prompt.match(/^.*May it run\?$/gm)).to.deep.equal(['May it run?']);
  });

  it('truncates long arguments with a notice and still shows the dangerous part', () => {
    const input = { before: 'x'.repeat(100_000), list: Array(10_000).fill('y'), command: 'rm -rf /' };
    const prompt = confirmationPrompt({ ...question, input });
    expect(prompt.length).to.be.below(80_000);
    expect(prompt).to.include('characters omitted').and.include('more omitted').and.include('rm -rf /');
  });
});
