import { expect } from 'chai';
import fc from 'fast-check';
import { isPlaceholder } from '../../lib/redaction/checks/is-placeholder.ts';
import { isBareDigest, isPublic } from '../../lib/redaction/checks/is-public.ts';
import { isBareReference, isReference } from '../../lib/redaction/checks/is-reference.ts';
import { chineseId } from '../../lib/redaction/checks/personal/chinese-id.ts';
import { iban } from '../../lib/redaction/checks/personal/iban.ts';
import { ipAddress } from '../../lib/redaction/checks/personal/ip-address.ts';
import { luhn, paymentCard } from '../../lib/redaction/checks/personal/payment-card.ts';
import { phoneNumber } from '../../lib/redaction/checks/personal/phone-number.ts';
import { usSsn } from '../../lib/redaction/checks/personal/us-ssn.ts';

const every = (check: (text: string) => boolean, texts: readonly string[]) => texts.filter((text) => !check(text));
const digitsOf = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((digits) => digits.join(''));

describe('a check of secrets', () => {
  it('accepts exactly one of ten last digits in luhn', () => {
    fc.assert(
      fc.property(digitsOf(15), (digits) => '0123456789'.split('').filter((last) => luhn(digits + last)).length === 1),
    );
    expect(luhn('4111 1111 1111 1111')).to.equal(true);
  });

  it('requires an issuer, the right length and a check digit of a card', () => {
    expect(every(paymentCard, ['4111-1111-1111-1111', '5500 0000 0000 0004', '378282246310005', '6011000990139424'])).to
      .be.empty;
    expect(['4111111111111112', '1111111111111117', '411111111111116', '4444444444444444'].filter(paymentCard)).to.be
      .empty;
  });

  it('requires the right remainder of an IBAN and detects swapped neighbours', () => {
    const known = [
      'DE89 3704 0044 0532 0130 00',
      'GB29NWBK60161331926819',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
    ];
    expect(every(iban, known)).to.be.empty;
    expect(['DE98 3704 0044 0532 0130 00', 'GB29NWBK60161331926891'].filter(iban)).to.be.empty;
  });

  it('requires a region, a date and a check character of a Chinese identity number', () => {
    const base = '1101051949123100';
    expect(every(chineseId, [`${base}2X`, `${base}2x`])).to.be.empty;
    expect([`${base}21`, `99${base.slice(2)}2X`, '110105194913310021', '11010519490230002X'].filter(chineseId)).to.be
      .empty;
  });

  it('rejects social security numbers with a part of zeros or an unassigned area', () => {
    expect(usSsn('536-22-8726')).to.equal(true);
    const wrong = ['000-22-8726', '666-22-8726', '936-22-8726', '536-00-8726', '536-22-0000', '078-05-1120'];
    expect(wrong.filter(usSsn)).to.be.empty;
  });

  it('requires a country code and 8 to 15 digits of a phone number', () => {
    expect(every(phoneNumber, ['+49 30 901820', '+1 (415) 555-2671', '+86 139 1234 5678', '+353 1 234 5678'])).to.be
      .empty;
    expect(['+1234', '+210 123 4567', '+1234567890123456', '+11111111111'].filter(phoneNumber)).to.be.empty;
  });

  it('requires four numbers below 256 of an address, and excludes the local machine', () => {
    expect(every(ipAddress, ['93.184.216.34', '10.0.0.1', '2606:2800:220:1::1'])).to.be.empty;
    expect(['127.0.0.1', '0.0.0.0', '1.2.3.256', '::1'].filter(ipAddress)).to.be.empty;
  });

  it('placeholders', () => {
    const some =
      'xxxx|****|your-api-key|YOUR_TOKEN|changeme|<password>|[token]|{secret}|example-key|my-secret-token|[REDACTED:jwt]|sk-xxxxxxxx|new_password|...';
    expect(every(isPlaceholder, some.split('|'))).to.be.empty;
    expect(['hunter2', 'S3cr3t!', 'correcthorse', 'supersecret', 'x1y2z3'].filter(isPlaceholder)).to.be.empty;
  });

  it('references', () => {
    const some = '$'.concat(
      '{X} $VAR %VAR% {{x}} process.env.X process.env["X"] os.environ["X"] #{x} $(cat) /run/secrets/db op://vault/db https://host/ config.password',
    );
    expect(every(isReference, some.split(' '))).to.be.empty;
    const bare = ['config.password', 'credentials?.password', 'newPassword', 'a::b', 'Uint8Array'];
    expect(every(isBareReference, bare)).to.be.empty;
    expect(['$ecr3t!', 'hunter2', 'p4ss.w0rd#1', 'a/b/c'].filter(isBareReference)).to.be.empty;
  });

  it('a public value', () => {
    const some = [
      '^9.0.2',
      '>=1.2.3 <2.0.0',
      'workspace:*',
      'sha512-abc',
      'sha256:abc',
      '6f1c2b3a-8d4e-4f5a-9b6c-7d8e9f0a1b2c',
      '2026-01-31T12:34:56Z',
    ];
    expect(every(isPublic, some)).to.be.empty;
    expect(['a1b2c3d4', '9f86d081884c7d65', '1.2.3.secret!'].filter(isPublic)).to.be.empty;
    expect(['0', '08c6903c'].map((start) => start.padEnd(40, '4f5a')).filter(isBareDigest)).to.have.length(2);
  });
});
