import { expect } from 'chai';
import { HooklineError } from '../../../lib/index.ts';
import { compileRules, createRedactor, type Rule } from '../../../lib/redaction/index.ts';

const refusalOf = (rule: Rule) => compileRules([rule]).refused[0];

describe('compileRules', () => {
  const wrong: readonly (readonly [RegExp, Partial<Rule>])[] = [
    [/looks ahead or behind/, { pattern: /key(?=abc)\w+/ }],
    [/looks ahead or behind/, { pattern: /(?<!a)key\w+/ }],
    [/back-reference/, { pattern: /key(a)\1/ }],
    [/flag u or v/, { pattern: /key\w+/u }],
    [/Unicode class/, { pattern: 'key\\p{L}+' }],
    [/cannot be read/, { pattern: 'key(' }],
    [/cannot be read/, { pattern: 'key[a' }],
    [/cannot be read/, { pattern: 'key)' }],
    [/cannot be read/, { pattern: '*key' }],
    [/empty text/, { pattern: /(?:key)?/ }],
    [/nothing but places/, { pattern: /^\b/ }],
    [/whole sentences/, { pattern: /key.*secret/ }],
    [/whole sentences/, { pattern: /key(?:.|\n){0,400}x/ }],
    [/start at every character of a word/, { pattern: /[0-9a-f]{32}/ }],
    [/too many/, { pattern: /key(?:[a-z]{1000}){50}/ }],
    [/has no group/, { pattern: /key(\w+)/, secretGroup: 2 }],
    [/longer than its maxLength/, { pattern: /key\w{90}/, maxLength: 20 }],
    [/either a pattern or a literal/, {}],
    [/either a pattern or a literal/, { pattern: /a/, literal: 'a' }],
    [/id is not fit/, { id: 'a b', literal: 'abcdef' }],
    [/swallows/, { pattern: /key(\w+)/, swallow: true, entropy: 3 }],
    [/maxLength is out of range/, { pattern: /key(\w+)/, maxLength: 1e9 }],
    [/allowance is empty/, { pattern: /key(\w+)/, allow: [{}] }],
  ];
  for (const [reason, members] of wrong) {
    it(`rejects ${JSON.stringify({ ...members, pattern: String(members.pattern) })}`, () => {
      const refusal = refusalOf({ id: 'r', ...members });
      expect(refusal?.reason).to.match(reason);
      expect(refusal?.fix).not.to.equal('');
    });
  }

  it('lists all issues in one error, with the IDs and without values', () => {
    try {
      createRedactor([
        { id: 'one', pattern: /a(?=b)/ },
        { id: 'fine', literal: 'abcdef' },
        { id: 'two', pattern: /[a-z]{9}/ },
        { id: 'fine', literal: 'abcdef' },
      ]);
      expect.fail('it took them');
    } catch (issue) {
      expect(issue).to.be.instanceOf(HooklineError).with.property('code', 'RULE_INVALID');
      expect((issue as Error).message.match(/^(\w+):/gm)).to.deep.equal(['one:', 'two:', 'fine:']);
    }
    expect(() => createRedactor([], { known: [{ label: 'K', value: 'abc12' }] }))
      .to.throw(HooklineError, /known\[0\] \(K\)/)
      .that.satisfies((issue: Error) => !issue.message.includes('abc12'));
  });

  it('returns issues of rules instead of throwing', () => {
    const { compiled, refused } = compileRules([
      { id: 'one', pattern: /a(?=b)/ },
      { id: 'fine', literal: 'abcdef' },
    ]);
    expect(compiled.map(({ label }) => label)).to.deep.equal(['fine']);
    expect(refused.map(({ id }) => id)).to.deep.equal(['one']);
  });

  const read: readonly (readonly [string | RegExp, string, string])[] = [
    ['(?i)key[a-z]{3}\\b', 'KEYabc', '#'],
    ['key(?i:[a-z]{3})z', 'keyABCz keyabcZ', '# keyabcZ'],
    ['(?i)key(?-i:A)', 'KEYA KEYa', '# KEYa'],
    ['k(?s:.)y', 'k\ny', '#'],
    ['k.y', 'k\ny', 'k\ny'],
    [/k.y/s, 'k\ny', '#'],
    ['\\Akey', 'key key', '# key'],
    ['key\\z', 'key key', 'key #'],
    [/^key/m, 'a\nkey key', 'a\n# key'],
    [/key$/m, 'key key\n', 'key #\n'],
    ['key[[:alnum:]_]+', 'key_A1-', '#-'],
    ['key[[:^digit:]]', 'key1 keyx', 'key1 #'],
    ['key\\x60', 'key`', '#'],
    ['key\\x{41}', 'keyA', '#'],
    ['key(?P<name>\\d+)', 'key12', 'key#'],
    [/key(?<name>\d+)/, 'key12', 'key#'],
    ['key[]a]', 'key] keya', '# #'],
    ['\\Qk.y\\E1', 'k.y1 kay1', '# kay1'],
    [/key\u0041\cJ?/i, 'keya', '#'],
    [/key{,2}/, 'key{,2}', '#'],
    [/key[\w-]+/g, 'key a-b key-b', 'key a-b #'],
    [/kéy/i, 'KÉY', '#'],
    ['k(?:ab|a)c?bd', 'kabbd kabd', '# #'],
    [/ka+?a*b/, 'kaaab', '#'],
    [/k(?:a*)*b/, 'kaab', '#'],
  ];
  for (const [pattern, text, shown] of read) {
    it(`reads ${String(pattern)}`, () => {
      const redactor = createRedactor([{ id: 'r', pattern }]);
      expect(redactor.redact(text).text.replaceAll('[REDACTED:r]', '#')).to.equal(shown);
    });
  }
});
