import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { from, lastValueFrom } from 'rxjs';
import { createRedactor, type Finding, redactStream } from '../../../lib/redaction/index.ts';

const LINES = 20_000;
const redactor = createRedactor([{ id: 'key', pattern: /\bkey-[a-z]{6}\b/ }], { mode: 'numbered' });
const line = (count: number) => `see key-abcdef ${count}\n`;

describe('a stream of any length with a finding in each line', () => {
  it('keeps no findings if a callback receives them', async () => {
    const refs: WeakRef<Finding>[] = [];
    const stream = redactor.stream({ onFinding: (finding) => void refs.push(new WeakRef(finding)) });
    for (let count = 0; count < LINES; count++) stream.write(line(count));
    expect(stream.findings).to.deep.equal([]);
    expect(refs.length).to.be.within(LINES - 1, LINES);
    expect(await alive(refs)).to.be.below(10);
    expect(stream.end()).to.be.a('string');
  });

  it('reports the findings in order, each before the text after it is released', () => {
    const text = Array.from({ length: 50 }, (_, count) => line(count)).join('');
    const told: Finding[] = [];
    const stream = redactor.stream({ onFinding: (finding) => void told.push(finding) });
    let shown = '';
    for (const unit of text) {
      shown += stream.write(unit);
      expect(told.length).to.be.within(shown.split('#1]').length - 1, 50);
    }
    stream.end();
    expect(told).to.deep.equal(redactor.redact(text).findings);
  });

  it('reports them through the operator', async () => {
    const told: Finding[] = [];
    const parts = from([line(1), line(2)]);
    await lastValueFrom(parts.pipe(redactStream(redactor, { onFinding: (finding) => void told.push(finding) })));
    expect(told).to.deep.equal([
      { rule: 'key', confidence: 'format', start: 4, end: 14 },
      { rule: 'key', confidence: 'format', start: 21, end: 31 },
    ]);
  });
});

/** Returns the number of objects that are still referenced. */
async function alive(refs: readonly WeakRef<Finding>[]): Promise<number> {
  // A dereferenced WeakRef keeps its target until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return refs.filter((ref) => ref.deref() !== undefined).length;
}
