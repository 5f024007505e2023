import { expect } from 'chai';
import type { Rule } from '../../lib/redaction/compile/rule.ts';
import { credentialRules } from '../../lib/redaction/rules/credential-rules.ts';
import { formatRules } from '../../lib/redaction/rules/format-rules.ts';
import { ownRules } from '../../lib/redaction/rules/own-rules.ts';
import { personalRules } from '../../lib/redaction/rules/personal-rules.ts';
import { exampleOf, seeded } from './example-of.ts';
import { nativeMatch } from './native-match.ts';

const EXAMPLES = process.env['HOOKLINE_SOAK'] ? 50 : 2;
const byId = (id: string): Rule => ownRules.find((rule) => rule.id === id) as Rule;
const foundBy = (text: string) => ownRules.filter((rule) => nativeMatch(rule, text) !== undefined).map(({ id }) => id);

describe('the set of built-in rules', () => {
  it('includes at least 200 credential formats, each with a unique ID and a description', () => {
    expect(credentialRules.length).to.be.greaterThan(200);
    expect(new Set(ownRules.map(({ id }) => id)).size).to.equal(ownRules.length);
    for (const { id, description } of ownRules) {
      expect(id).to.match(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(description, id).to.be.a('string').and.not.empty;
    }
    expect(ownRules).to.have.members([...credentialRules, ...personalRules]);
  });

  it('enables all by default except IP addresses and national phone numbers', () => {
    const off = ownRules.filter(({ byDefault }) => byDefault === false).map(({ id }) => id);
    expect(off).to.deep.equal([
      ...'cn us gb de fr at ch nl be es it pl se in jp kr au br'.split(' ').map((country) => `phone-${country}`),
      'ipv4',
      'ipv6',
    ]);
  });

  it('uses no lookaround and no back-reference', () => {
    for (const { id, pattern } of ownRules)
      expect((pattern as RegExp).source, id).not.to.match(/\(\?[=!<]|\\[1-9]|\\k/);
  });

  it('finds text of the right shape with each', () => {
    const random = seeded(2026);
    for (const rule of ownRules) {
      for (let i = 0; i < EXAMPLES; i += 1) {
        const { text, secret } = exampleOf(rule, random);
        expect(secret, rule.id).not.to.be.empty;
        expect(text, rule.id).to.include(secret);
      }
    }
  });

  it('does not match a row of x with any', () => {
    const random = seeded(7);
    for (const rule of ownRules.filter(({ swallow }) => !swallow)) {
      const { text, secret } = exampleOf(rule, random);
      expect(nativeMatch(rule, text.replace(secret, 'x'.repeat(secret.length))), rule.id).to.equal(undefined);
    }
  });

  it('ignores a format with too little entropy', () => {
    const [rule] = formatRules({ tokens: [['a-token', 'a token', 'tok_<a16>']], keyed: [] }) as [Rule];
    expect(nativeMatch(rule, 'tok_a1b2c3d4e5f6a7b8')).to.equal('tok_a1b2c3d4e5f6a7b8');
    expect(nativeMatch(rule, 'tok_abababababababab')).to.equal(undefined);
  });

  it('covers the five patterns of the JARVIS plan', () => {
    const word = 'Hq7'.concat('vT2mZ9');
    expect(foundBy(`password = '${word}'`)).to.include('password');
    expect(foundBy(`api_key = "${word}"`)).to.include('secret');
    expect(foundBy(`apiKey="${word}"`)).to.include('secret');
    expect(foundBy(`secret = '${word}'`)).to.include('secret');
    for (const kind of ['', 'RSA ', 'EC ', 'DSA '])
      expect(foundBy(`-----BEGIN ${kind}PRIVATE KEY-----`)).to.include('private-key');
    expect(foundBy(`sk-${word}${word}${word}`)).to.include('secret-key-sk');
  });

  it('covers the three patterns of AgentScope and checks the check digit', () => {
    const digits = '1101051949123100';
    expect(foundBy('手机号13912345678，')).to.include('phone-cn');
    expect(foundBy('邮箱 a.b@c.org')).to.include('email');
    expect(foundBy(`身份证号：${digits}2X`)).to.include('chinese-id');
    expect(foundBy(`身份证号：${digits}21`)).not.to.include('chinese-id');
  });

  it('finds values in quotes, in nested strings, without quotes and in the next line', () => {
    const value = 'hunter'.concat('2!');
    for (const [text, id] of [
      [`{"password": "${value}"}`, 'password'],
      [`{\\"password\\": \\"${value}\\"}`, 'password'],
      [`const dbPassword: string = \`${value}\``, 'password'],
      [`'password' => '${value}',`, 'password'],
      [`- name: DB_PASSWORD\n  value: "${value}"`, 'password'],
      [`<add key="Password" value="${value}" />`, 'password'],
      [`password: ${value}`, 'unquoted-password'],
      [`<password>${value}</password>`, 'unquoted-password'],
      [`/login?user=me&password=${value}&next=/`, 'unquoted-password'],
      [`+DB_PASSWORD=${value}`, 'env-password'],
      [`export DB_PASSWORD='${value}'`, 'env-password'],
      [`login --password ${value}`, 'flag-secret'],
      [`login --password="${value}"`, 'flag-secret'],
      [`curl -u me:${value} https://host/`, 'curl-user'],
      [`postgres://me:${value}@host/db`, 'url-password'],
      [`my password is ${value}`, 'password-in-prose'],
      [`我的密码是${value}`, 'password-in-prose'],
    ] as const) {
      expect(nativeMatch(byId(id), text), text).to.equal(value);
    }
  });

  it('finds social security numbers in every notation and ignores other numbers', () => {
    const groups = ['536', '22', '8726'];
    const bare = groups.join('');
    for (const dash of ['-', '\u2011', '\u2013']) {
      expect(nativeMatch(byId('us-ssn'), `it is ${groups.join(dash)}.`)).to.equal(groups.join(dash));
    }
    for (const name of ['ssn ', 'SSN#: ', 'user_ssn=', 'social_security_number: ', 'socialSecurityNumber="', 'SSN (']) {
      expect(nativeMatch(byId('us-ssn-named'), `${name}${bare} `), name).to.equal(bare);
    }
    for (const text of [
      '078-05-1120',
      '666-12-3456',
      '900-12-3456',
      '978-536-22-8726',
      '536-22-8726-1',
      '2024-12-3456',
    ]) {
      expect(foundBy(`number ${text} `), text).not.to.include('us-ssn');
    }
  });

  it('finds a secret key by the key ID before it', () => {
    const id = 'AKIA'.concat('Q3EGRTHXW7VPLZ2Y');
    const key = 'kQ7vT2mZ9/'.concat('xW4bN8+cR1', 'sL6dJ3fH5', 'gY0pE2uA7iO');
    for (const between of [',', ' ', ':', '\n', '\t', '", "', '\r\n']) {
      expect(nativeMatch(byId('aws-key-pair'), `"${id}${between}${key}"`), between).to.equal(key);
    }
    expect(foundBy(`commit ${key.slice(0, 39)} of ${key}x`)).not.to.include('aws-key-pair');
  });

  it('redacts whole passphrases and whole long values', () => {
    const phrase = 'correct 4 horses staple batteries';
    expect(nativeMatch(byId('password'), `password = "${phrase}"`)).to.equal(phrase);
    const long = 'a1B2'.repeat(300);
    expect(nativeMatch(byId('secret'), `secret = "${long}"`)).to.equal(long);
  });
});
