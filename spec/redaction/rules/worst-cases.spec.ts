import { expect } from 'chai';
import { createRedactor, ownRules, type Rule } from '../../../lib/redaction/index.ts';
import { exampleOf, seeded } from '../example-of.ts';

const LENGTH = 4_000;
/** The maximum number of rules that judge a character, as part of any values. */
const MOST = 100;

describe('the worst case of each rule', () => {
  it('has no value judged more often than its length allows', () => {
    let judged = 0;
    const counted = ownRules.map((rule): Rule => {
      const { check } = rule;
      if (!check) return rule;
      return {
        ...rule,
        check: (value, sighting) => {
          judged += value.length;
          return check(value, sighting);
        },
      };
    });
    const redactor = createRedactor(counted);
    const random = seeded(41);
    const units = ['password: 11.11', 'token: a1', 'a.b.', 'password="x ', 'key=a&'];
    for (const rule of ownRules) {
      const { text } = exampleOf(rule, random);
      units.push(text, text.slice(0, Math.ceil(text.length * 0.6)), text.slice(0, 8));
    }
    for (const unit of units) {
      judged = 0;
      redactor.redact(`${unit.repeat(Math.ceil(LENGTH / unit.length))}! `);
      expect(judged, JSON.stringify(unit)).to.be.at.most(MOST * (LENGTH + unit.length));
    }
  });

  it('has no hidden value judged again', () => {
    const asked: string[] = [];
    const rule = (id: string, pattern: RegExp): Rule => ({
      id,
      pattern,
      check: (value) => asked.push(`${id} ${value}`) > 0,
    });
    const redactor = createRedactor([rule('a', /API_KEY=(\w+)/), rule('b', /KEY=(\w+)/), rule('c', /KEY=(\w+-\w+)/)]);
    expect(redactor.redact('API_KEY=x1 KEY=x2 API_KEY=x3-x4 ').findings.map(({ rule }) => rule)).to.deep.equal([
      'a',
      'b',
      'a',
    ]);
    expect(asked).to.deep.equal(['a x1', 'b x2', 'a x3', 'c x3-x4']);
  });

  it('ends, such as a password of versions that took half a minute', () => {
    const value = '11.11'.repeat(16);
    expect(createRedactor(ownRules).redact(`password: ${value}! `).findings).to.have.length(1);
  });
});
