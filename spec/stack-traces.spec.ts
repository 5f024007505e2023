import { expect } from 'chai';
import './stack-traces.ts';

/** Types are not in the code that runs. */
interface Thrown {
  readonly stack?: string;
}

describe('a stack trace of a spec', () => {
  it('names the error, and each line of the source', () => {
    const failing = (message: string): Thrown => new TypeError(message);
    const other = (): Thrown => new Error('other');
    for (const message of ['first', 'second']) {
      const [head, first, second] = failing(message).stack?.split('\n') ?? [];
      expect(head).to.equal(`TypeError: ${message}`);
      expect(first).to.match(/^ {4}at failing \(\S+stack-traces\.spec\.ts:11:\d+\)$/);
      expect(second).to.match(/^ {4}at Context\.<anonymous> \(\S+stack-traces\.spec\.ts:14:\d+\)$/);
    }
    expect(other().stack).to.match(/^Error: other\n {4}at other \(\S+stack-traces\.spec\.ts:12:\d+\)\n/);
  });
});
