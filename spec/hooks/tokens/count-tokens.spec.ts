import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { tokenCounter } from '../../../lib/hooks/tokens/count-tokens.ts';

const count = tokenCounter('h', undefined);

describe('tokenCounter', () => {
  it('counts like a model', () => {
    expect(count('')).to.equal(0);
    expect(count('Hello, world!')).to.equal(4);
    expect(count('The quick brown fox jumps over the lazy dog.')).to.equal(10);
    expect(count('你好，世界')).to.be.within(2, 8);
  });

  it('counts the special tokens of a chat as plain text', () => {
    const mark = ['<|', 'endoftext', '|>'].join('');
    expect(count(mark)).to.be.greaterThan(1);
  });

  it('takes linear, not quadratic time', () => {
    for (const letter of ['a', ' ', '中', '!', '😀'])
      expect(count(letter.repeat(200_000)), letter).to.be.greaterThan(100);
    const text = 'Some words between. '.repeat(200);
    expect(count(text)).to.be.closeTo(count(`${text}${'a'.repeat(600)}`), 100);
  });

  it('calls the counter of the host with the name of the model', () => {
    const asked: unknown[] = [];
    const own = tokenCounter('h', (text, model) => {
      asked.push([text, model]);
      return text.length;
    });
    expect(own('four', 'm')).to.equal(4);
    expect(asked).to.deep.equal([['four', 'm']]);
  });

  it('rejects an invalid count and names its source', () => {
    for (const wrong of [Number.NaN, -1, undefined, Promise.resolve(4)])
      expect(() => tokenCounter('budget', () => wrong as never)('x'))
        .to.throw('countTokens of the host, used by the hook "budget", must return a number of tokens, got')
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('names the package to install if the tokenizer is missing, only when it is needed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookline-tokens-'));
    try {
      const file = join(__dirname, '../../../lib/hooks/tokens/count-tokens.ts');
      const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'cjs' });
      writeFileSync(join(folder, 'count-tokens.js'), code.replace('../../errors.ts', './errors.js'));
      writeFileSync(
        join(folder, 'errors.js'),
        'exports.HooklineError = class extends Error { constructor(code, message) { super(message); } };',
      );
      const script = `const count = require('./count-tokens.js').tokenCounter('budget');
        console.log('made'); try { count('x') } catch (error) { console.log(error.message) }`;
      const printed = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8', env: {} });
      expect(printed.trim().split('\n')).to.deep.equal([
        'made',
        'The hook "budget" needs the package gpt-tokenizer to count tokens. Run: npm install gpt-tokenizer, or pass your own function, as in bundles without require(): { countTokens }.',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
