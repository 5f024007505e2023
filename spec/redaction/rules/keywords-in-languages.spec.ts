import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(ownRules);
const value = `kT${randomBytes(10).toString('hex')}9q`;

/** Names of keys that programs generate, as people write them: French, German, Romance, Slavic and other languages. */
const KEYS = [
  ...['clé secrète', 'Clé secrète', 'clé privée', "clé d'accès", 'clé d’accès', "jeton d'accès", 'clé de API'],
  ...['API-Schluessel', 'Geheimschlüssel', 'Zugangsschlüssel', 'geheimer Schlüssel'],
  ...['clave secreta', 'clave de API', 'clave privada', 'clave de acceso', 'chave secreta', 'chave de API'],
  ...['chave de acesso', 'chiave API', 'chiave segreta', 'chiave di accesso', 'CHIAVE PRIVATA'],
  ...['секретный ключ', 'Секретный ключ', 'секретний ключ', 'приватный ключ', 'ключ шифрования', 'ключ API'],
  ...['klucz API', 'tajny klucz', 'API kulcs', 'API anahtarı', 'gizli anahtar', 'geheime sleutel', 'hemlig nyckel'],
  ...['秘密鍵', 'シークレットキー', '私钥', '私鑰', '비밀 키', '시크릿 키', 'khóa API', 'kunci API'],
  ...['مفتاح API', 'מפתח API', 'κλειδί API', 'คีย์ API', 'API कुंजी'],
];
const PASSWORDS = ['κωδικός πρόσβασης', 'Κωδικός πρόσβασης', 'رمز عبور', 'گذرواژه'];
const FORMS = [(name: string) => `${name}: ${value}`, (name: string) => `"${name}": "${value}"`];

describe('keywords in other languages', () => {
  for (const name of [...KEYS, ...PASSWORDS])
    it(`precede a secret: ${name}`, () => {
      for (const form of FORMS) expect(redactor.redact(form(name)).text, form(name)).to.not.include(value);
    });

  it('precede texts and labels that stay', () => {
    for (const text of [
      '"clé secrète": "Votre clé secrète"',
      'La clé secrète : obligatoire',
      'Geheimschlüssel: fehlt',
      'chiave API: obbligatoria',
      '"chave de acesso": "Chave de acesso inválida"',
      'секретный ключ: не найден',
      '私钥: 必填',
      '秘密鍵: 必須です',
      '"klucz API": "Wpisz klucz API"',
      'clave de acceso: ver documentación',
    ])
      expect(redactor.redact(text).text).to.equal(text);
  });
});
