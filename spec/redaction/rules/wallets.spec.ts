import { expect } from 'chai';
import fc from 'fast-check';
import { isWalletKey } from '../../../lib/redaction/checks/wallets/is-wallet-key.ts';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';
import { seeded } from '../example-of.ts';
import { walletKey } from './wallet-key.ts';

const redactor = createRedactor(rulesNamed());
const random = seeded(39);
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const networks = fc.record({ version: fc.constantFrom(0x80, 0xef), compressed: fc.boolean() });
/** Words of the list, which has 2,048. */
const WORDS =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act zebra zero zone zoo wrong yellow young you with what when'.split(
    ' ',
  );
const words = (count: number): readonly string[] =>
  Array.from({ length: WORDS.length }, (_, at) => at)
    .sort(() => random() - 0.5)
    .slice(0, count)
    .map((at) => WORDS[at] as string);

describe('a wallet key', () => {
  it('is found by its checksum, for both networks, compressed or not', () => {
    fc.assert(
      fc.property(keys, networks, (key, network) => {
        const text = walletKey(key, network);
        expect(redactor.redact(`see ${text}, and so on`).text).to.equal('see [REDACTED:wallet-key], and so on');
      }),
    );
  });

  it('is not found with a changed letter or another checksum version', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 50 }), (key, at) => {
        const text = walletKey(key);
        const other = text[at] === 'a' ? 'b' : 'a';
        expect(isWalletKey(text.slice(0, at) + other + text.slice(at + 1))).to.equal(false);
      }),
    );
  });

  const ways: Readonly<Record<string, (all: readonly string[]) => string>> = {
    'after a colon': (all) => `Mnemonic: ${all.join(' ')}`,
    'in JSON': (all) => JSON.stringify({ seedPhrase: all.join(' '), next: 1 }),
    'in a variable': (all) => `WALLET_MNEMONIC="${all.join(' ')}"`,
    'in a list': (all) => `recovery phrase = ${JSON.stringify(all)}`,
    'in numbered lines': (all) => `Your recovery phrase:\n${all.map((word, at) => `${at + 1}. ${word}`).join('\n')}`,
  };
  for (const [name, way] of Object.entries(ways)) {
    it(`is found as words by their label: ${name}`, () => {
      for (const count of [12, 15, 18, 21, 24]) {
        const all = words(count);
        const { text } = redactor.redact(`${way(all)}\n`);
        expect(text, text).to.match(/REDACTED:wallet-mnemonic/);
        expect(text.match(/[a-z]{3,8}/g)?.filter((word) => all.includes(word)) ?? [], text).to.deep.equal([]);
      }
    });
  }

  it('is not a sentence', () => {
    for (const text of [
      'Recovery phrase: write down the twelve words that your wallet shows you and keep them safe.',
      'seed phrase: a list of words which store all the information needed to recover funds on chain',
      'mnemonic: easy to keep in mind, such as names of the planets from the sun out to the last one',
      'const mnemonic = generateMnemonic(wordlist);',
    ])
      expect(redactor.redact(text).findings, text).to.deep.equal([]);
  });
});

describe('an Azure DevOps token', () => {
  const some = (length: number, letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789') =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');

  it('is found by its signature', () => {
    for (let count = 0; count < 20; count++) {
      const token = `${some(52)}JQQJ99${some(18)}AZDO${some(4)}`;
      expect(redactor.redact(`see ${token} and so on`).text).to.equal('see [REDACTED:azure-annotated-key] and so on');
    }
  });

  it('is found in the older format after a name of the service', () => {
    const token = some(52, 'abcdefghijklmnopqrstuvwxyz234567');
    for (const text of [`AZURE_DEVOPS_EXT_PAT=${token}`, `azdo_pat: "${token}"`, `vsts = '${token}'`])
      expect(redactor.redact(text).text).to.not.include(token);
  });
});
