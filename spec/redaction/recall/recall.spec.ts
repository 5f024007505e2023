import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';
import { recallCases } from './cases.ts';

const LEAST_CASES = 400;
const LEAST_GONE = 0.95;
/** For each class alone. */
const LEAST_OF_KIND = 0.5;

describe('recall', () => {
  it(`redacts ${100 * LEAST_GONE} % of at least ${LEAST_CASES} generated secrets of every class`, () => {
    const redactor = createRedactor(rulesNamed());
    const kinds = new Map<string, { gone: number; all: number }>();
    const left: string[] = [];
    for (const { kind, text, secrets } of recallCases) {
      const { text: shown } = redactor.redact(text);
      const isGone = secrets.every((secret) => !shown.includes(secret));
      const counts = kinds.get(kind) ?? { gone: 0, all: 0 };
      kinds.set(kind, { gone: counts.gone + (isGone ? 1 : 0), all: counts.all + 1 });
      if (!isGone) left.push(`${kind}: ${text.slice(0, 60)}`);
    }
    const gone = recallCases.length - left.length;
    console.log(`      ${gone} of ${recallCases.length} gone (${((100 * gone) / recallCases.length).toFixed(1)} %)`);
    expect(recallCases.length).to.be.at.least(LEAST_CASES);
    for (const [kind, counts] of kinds)
      expect(counts.gone / counts.all, `${kind}\n${left.join('\n')}`).to.be.at.least(LEAST_OF_KIND);
    expect(gone / recallCases.length, left.join('\n')).to.be.at.least(LEAST_GONE);
  });
});
