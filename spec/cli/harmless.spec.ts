import { expect } from 'chai';
import { createHarmlessStream } from '../../lib/cli/terminal/harmless-stream.ts';
import { harmlessText } from '../../lib/cli/terminal/harmless-text.ts';
import { harmlessJson } from '../../lib/events/values/harmless-json.ts';
import { visibleText } from '../../lib/hooks/text/visible-text.ts';

describe('harmlessText', () => {
  it('escapes characters that a terminal would interpret or hide', () => {
    expect(harmlessText('\u001b]0;x\u0007 \u009b2J \r\b \u202e \u2066 \u2028 \u00ad \ud800')).to.equal(
      '\\u{1b}]0;x\\u{7} \\u{9b}2J \\u{d}\\u{8} \\u{202e} \\u{2066} \\u{2028} \\u{ad} \\u{d800}',
    );
  });

  it('escapes blanks that a terminal does not show, in the prompt of an approval, too', () => {
    for (const hidden of ['\u2800', '\u3164', '\u115f', '\uffa0', '\u034f', '\u180b', '\u{e0100}']) {
      const shown = `rm\\u{${hidden.codePointAt(0)?.toString(16)}}x`;
      expect([harmlessText(`rm${hidden}x`), visibleText(`rm${hidden}x`)]).to.deep.equal([shown, shown]);
      expect(harmlessJson(JSON.stringify(hidden))).to.match(/^"(?:\\u[\da-f]{4})+"$/);
    }
  });

  it('keeps lines, tabs, accents and joined emoji', () => {
    const text = 'a\tb\nc é 日本 👩‍🚀 می‌خواهم';
    expect(harmlessText(text)).to.equal(text);
    expect(harmlessText('one\r\ntwo')).to.equal('one\ntwo');
  });
});

describe('createHarmlessStream', () => {
  it('buffers only characters that span two pieces', () => {
    const stream = createHarmlessStream();
    const pieces = ['a\ud83d', '\ude00b\r', '\nc\r', 'd\u001b', '[1m'];
    expect(pieces.map((piece) => stream.push(piece))).to.deep.equal(['a', '😀b', '\nc', '\\u{d}d\\u{1b}', '[1m']);
    stream.push('\ud83d');
    expect(stream.end()).to.equal('\\u{d83d}');
    expect(stream.end()).to.equal('');
  });
});

describe('harmlessJson', () => {
  it('escapes characters that JSON keeps, without changing the value', () => {
    const value = { a: '\u009b\u202e\u2029\u{e0041}é👩‍🚀', '\u007f': [1] };
    const json = harmlessJson(JSON.stringify(value));
    expect(json).to.equal('{"a":"\\u009b\\u202e\\u2029\\udb40\\udc41é👩\\u200d🚀","\\u007f":[1]}');
    expect(JSON.parse(json)).to.deep.equal(value);
  });
});
