import { expect } from 'chai';
import { guardedRedactor } from '../../../lib/hooks/scanning/guarded-redactor.ts';
import { jsonTextStream } from '../../../lib/hooks/text/json-text-stream.ts';
import type { Finding, Redactor } from '../../../lib/redaction/redactor.ts';
import { SECRET, standInRedactor } from '../stand-in-redactor.ts';

/** A custom redactor without support for `onFinding`. */
const listKeeper: Redactor = { redact: standInRedactor.redact, stream: () => standInRedactor.stream() };

/** A redactor that calls `onFinding` and also keeps a list. `late` adds to the list before the call. */
const both = (late: boolean): Redactor => ({
  redact: standInRedactor.redact,
  stream({ onFinding } = {}) {
    const findings: Finding[] = [];
    const waiting: Finding[] = [];
    const stream = standInRedactor.stream({
      onFinding(finding) {
        findings.push({ ...finding });
        if (late) waiting.push(finding);
        else onFinding?.(finding);
      },
    });
    const end = (): string => {
      for (const finding of waiting.splice(0)) onFinding?.(finding);
      return stream.end();
    };
    return { findings, write: (text) => stream.write(text), end, abort: () => stream.abort() };
  },
});
const tellsAndLists = both(false);
const listsAndTells = both(true);

describe('guardedRedactor', () => {
  for (const [name, redactor] of Object.entries({ listKeeper, standInRedactor, tellsAndLists, listsAndTells })) {
    it(`reports each finding once, through a callback or a list: ${name}`, () => {
      const told: Finding[] = [];
      const stream = guardedRedactor(redactor).stream({ onFinding: (finding) => void told.push(finding) });
      for (const text of [`a ${SECRET}`, ' b ', SECRET]) stream.write(text);
      stream.end();
      expect(told.map(({ start }) => start)).to.deep.equal([2, 17]);
    });

    it(`reports findings in the strings of JSON: ${name}`, () => {
      let told = 0;
      const stream = jsonTextStream(guardedRedactor(redactor), { onFinding: () => void told++ });
      stream.write(`{"a":"${SECRET}","b":["${SECRET}"]}`);
      stream.end();
      expect(told).to.equal(2);
      expect(stream.findings).to.deep.equal([]);
    });
  }

  it('keeps the list without a callback', () => {
    const stream = guardedRedactor(listKeeper).stream();
    stream.write(SECRET);
    expect(stream.findings).to.have.length(1);
  });
});
