import { expect } from 'chai';
import { createOutput } from '../../../lib/cli/setup/create-output.ts';

/** Output of two streams, on a shared terminal or not. */
function written(terminals: { readonly stdout: boolean; readonly stderr: boolean }) {
  const shown = { both: '', stdout: '' };
  const output = createOutput(
    {
      isTTY: terminals.stdout,
      write(text) {
        shown.stdout += text;
        shown.both += text;
      },
    },
    {
      isTTY: terminals.stderr,
      write(text) {
        shown.both += text;
      },
    },
  );
  for (const text of ['Hel', '', 'lo']) output.print(text);
  output.log('{"a":1}\n');
  output.log('{"b":2}\n');
  output.print(' you.\n');
  output.log('{"c":3}\n');
  return shown;
}

describe('createOutput', () => {
  it('starts a log line on a new line if both streams share a terminal', () => {
    expect(written({ stdout: true, stderr: true }).both).to.equal('Hello\n{"a":1}\n{"b":2}\n you.\n{"c":3}\n');
  });

  it('adds nothing to files and pipes', () => {
    for (const terminals of [
      { stdout: true, stderr: false },
      { stdout: false, stderr: true },
      { stdout: false, stderr: false },
    ]) {
      expect(written(terminals).stdout).to.equal('Hello you.\n');
    }
  });
});
