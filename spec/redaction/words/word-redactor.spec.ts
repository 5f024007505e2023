import { expect } from 'chai';
import { createWordRedactor } from '../../../lib/redaction/words/word-redactor.ts';

const masked = (words: readonly string[], text: string, whole = true) =>
  createWordRedactor({ words, label: 'word', whole, replace: () => '*' }).redact(text).text;

/** Returns the texts that contain the word. */
const found = (word: string, texts: readonly string[], whole = true) =>
  texts.filter((text) => masked([word], text, whole) !== text);

describe('createWordRedactor', () => {
  it('finds words in any case, width and decomposition', () => {
    expect(found('heel', ['heel', 'HEEL', 'Heel!', 'ｈｅｅｌ', 'h\u200bee\u00adl', 'ℋ\u2061eel'])).to.have.length(6);
    expect(found('straße', ['STRASSE', 'strasse', 'Straße', 'STRAẞE'])).to.have.length(4);
    expect(found('café', ['cafe\u0301', 'CAFÉ', 'ＣＡＦＥ\u0301'])).to.have.length(3);
    expect(found('ΣΟΦΟΣ', ['σοφός'.normalize('NFD').replaceAll('\u0301', ''), 'σοφος'])).to.have.length(2);
    expect(found('ガム', ['ガム', 'ｶﾞﾑ', 'カ\u3099ム'])).to.have.length(3);
    expect(found('바보', ['바보', '바보'.normalize('NFD'), '이 바보가'])).to.have.length(3);
    expect(found('𞤀𞤁', ['𞤀𞤁', '𞤢𞤣'])).to.have.length(2);
    expect(found('𝐛ad', ['bad', '𝐁𝐀𝐃'])).to.have.length(2);
    expect(found('two words', ['two words', 'Two\tWords', 'two\u00a0words'])).to.have.length(3);
  });

  it('treats any white space in a phrase as one space, up to a maximum', () => {
    const texts = [
      'two words',
      'two  words',
      'two\n    words',
      'two \u200b\t words',
      'two\u00a0 words',
      `two${' '.repeat(64)}words`,
    ];
    expect(found('two words', texts)).to.deep.equal(texts);
    expect(found('two \u200b  words', texts)).to.deep.equal(texts);
    expect(found('two words', ['twowords', 'two. words', 'two\u200bwords', `two${' '.repeat(65)}words`])).to.deep.equal(
      [],
    );
    expect(masked(['two words'], 'a  two \n words  b')).to.equal('a  *  b');
    const many = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + at)).concat('two words');
    expect(masked(many, 'a  two \n words  b')).to.equal('a  *  b');
  });

  it('holds back no more than a phrase with the maximum of white space', () => {
    const stream = createWordRedactor({ words: ['two words'], label: 'x', whole: true, replace: () => '*' }).stream();
    const said = ['two', ...Array<string>(200).fill(' '), 'wor', 'ds', ' two  ', '\n', 'words.'].map((piece) =>
      stream.write(piece),
    );
    expect(said.join('') + stream.end()).to.equal(`two${' '.repeat(200)}words *.`);
    expect(said.slice(0, 80).join('')).to.not.equal('');
  });

  it('distinguishes a letter from the one without its mark', () => {
    expect(found('cafe', ['café', 'cafe\u0301', 'cafe\u200b\u0301'])).to.deep.equal([]);
    expect(found('カム', ['ガム', 'ｶﾞﾑ'])).to.deep.equal([]);
    expect(found('カ', ['カ\u3099', 'ガ', 'カ'])).to.deep.equal(['カ']);
    expect(found('각', ['가', '각'])).to.deep.equal(['각']);
    expect(found('가', ['각', '가'])).to.deep.equal(['가']);
    expect(found('s', ['ß', 'ﬆ', 's'])).to.deep.equal(['s']);
  });

  it('finds whole words in scripts with spaces, and any in scripts without', () => {
    expect(
      found('ass', ['class', 'assess', 'ass2', '2ass', 'glass ass', 'ass.', '"ass"', 'my_ass', 'ass中']),
    ).to.deep.equal(['glass ass', 'ass.', '"ass"', 'my_ass', 'ass中']);
    expect(found('жук', ['жуки', 'жук!'])).to.deep.equal(['жук!']);
    expect(found('כלב', ['הכלב', 'כלב, '])).to.deep.equal(['כלב, ']);
    for (const [word, text] of [
      ['坏蛋', '你是坏蛋吗'],
      ['ばか', 'おばかさん'],
      ['โง่', 'คนโง่มาก'],
    ] as const)
      expect(found(word, [text]), word).to.deep.equal([text]);
    expect(found('ass', ['class', 'assess'], false)).to.have.length(2);
    expect(found('++', ['c++', 'a ++ b'])).to.have.length(2);
  });

  it('unites overlapping words and separates adjacent ones', () => {
    expect(masked(['ab', 'bc', 'cd'], 'abcd', false)).to.equal('*');
    expect(masked(['ab', 'abcde'], 'abcd', false)).to.equal('*cd');
    expect(masked(['bc', 'abcd'], 'abcd', false)).to.equal('*');
    expect(masked(['ab'], 'abab', false)).to.equal('**');
    expect(masked(['new', 'new york'], 'new york, new orleans')).to.equal('*, * orleans');
  });

  it('reports the places of words', () => {
    const redactor = createWordRedactor({
      words: ['bad'],
      label: 'x',
      whole: true,
      replace: (word) => '#'.repeat(word.length),
    });
    const { text, findings } = redactor.redact('\u{1f600} a bad, BAD day');
    expect(text).to.equal('\u{1f600} a ###, ### day');
    expect(findings).to.deep.equal([
      { rule: 'x', confidence: 'format', start: 5, end: 8 },
      { rule: 'x', confidence: 'format', start: 10, end: 13 },
    ]);
  });

  it('holds back only text that may become a word', () => {
    const stream = createWordRedactor({
      words: ['badger', 'bad luck'],
      label: 'x',
      whole: true,
      replace: () => '*',
    }).stream();
    const said = ['so b', 'ad', 'ly ', 'badger', '.', ' bad', ' luc'].map((piece) => stream.write(piece));
    expect([...said, stream.end()]).to.deep.equal(['so ', '', 'badly ', '', '*.', ' ', '', 'bad luc']);
  });

  it('rejects empty words and too many words', () => {
    for (const word of ['', '  ', '\u200b'])
      expect(() => masked([word], 'x'))
        .to.throw('has no letter that can be seen')
        .with.property('code', 'INPUT_INVALID');
    const tooMany = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => index.toString(36).padEnd(length, String(index % 7)));
    for (const [count, length, told] of [
      [1_000_000, 1, /^1,000,000 words are too many for one list. Split them into 5 lists or more/],
      [20_000, 90, /^20,000 words are too many for one list. Split them into 2 lists or more/],
    ] as const)
      expect(() => masked(tooMany(count, length), 'x'))
        .to.throw(told)
        .with.property('code', 'INPUT_INVALID');
  });

  it('keeps tables narrow for any number of letters in a script', () => {
    const word = (index: number) => String.fromCodePoint(0x4e00 + (index % 5_000), 0x4e00 + ((index * 31) % 5_000));
    const words = Array.from({ length: 20_000 }, (_, index) => word(index));
    expect(masked(words, `x${word(77)}y`)).to.equal('x*y');
  });
});
