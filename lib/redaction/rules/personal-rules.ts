import { chineseId } from '../checks/personal/chinese-id.ts';
import { iban } from '../checks/personal/iban.ts';
import { ipAddress } from '../checks/personal/ip-address.ts';
import { paymentCard } from '../checks/personal/payment-card.ts';
import { usSsn } from '../checks/personal/us-ssn.ts';
import { isNamedId } from '../checks/surroundings/is-named-id.ts';
import type { Rule } from '../compile/rule.ts';
import type { Sighting } from '../compile/sighting.ts';
import { afterEscape } from './after-escape.ts';
import { ibanPattern } from './iban-pattern.ts';
import { phoneRules } from './phone-rules.ts';

const START = `(?:${afterEscape}|^|[^\\w.+-]|_)`;
const END = '(?:[^\\w]|$)';
/** Also as in word processors. */
const DASH = '[-\u2010-\u2013]';
const CARD = /card|\bpan\b|karte|carte|tarjeta|visa|amex|卡/i;
const isCard = ({ secret, line }: Sighting): boolean => /[ -]/.test(secret) || CARD.test(line);
const OCTET = '[0-9]{1,3}';

/** Data that identifies a person. */
const rules: readonly Rule[] = [
  {
    id: 'email',
    description: 'e-mail address',
    pattern:
      /(?:^|[^\w.%+@/:-]|(?:mailto|mail|from|to|cc):)([\w.%+-]{1,64}@[0-9A-Za-z-][0-9A-Za-z.-]{0,189}\.[A-Za-z]{2,24})(?:[^\w@-]|$)/,
    allow: [
      {
        pattern:
          /^(?:git|hg|svn|noreply|no-reply|donotreply)@|@[\w-]+x?\.(?:png|jpe?g|gif|svg|webp|js|ts|css|json|tgz|gz)$/i,
      },
    ],
  },
  {
    id: 'payment-card',
    description: 'payment card number',
    pattern: new RegExp(`${START}([2-6][0-9]{3}[ -]?[0-9]{4,6}[ -]?[0-9]{4,5}(?:[ -]?[0-9]{1,4}){0,2})${END}`),
    check: (value, sighting) => paymentCard(value) && (isCard(sighting) || !isNamedId(sighting)),
    // A number without groups may be an ID whose check digit is right by coincidence.
    confidence: (sighting) => (isCard(sighting) ? 'format' : 'guessed'),
  },
  { id: 'iban', description: 'bank account (IBAN)', pattern: ibanPattern(), check: iban },
  ...phoneRules,
  {
    id: 'chinese-id',
    description: 'Chinese identity number',
    pattern: new RegExp(`${START}([1-9][0-9]{16}[0-9Xx])${END}`),
    check: chineseId,
  },
  {
    id: 'us-ssn',
    description: 'US social security number',
    pattern: new RegExp(`${START}([0-9]{3}${DASH}[0-9]{2}${DASH}[0-9]{4})(?:[^\\w-]|$)`),
    check: usSsn,
    confidence: ({ line }) => (/ssn|social|security/i.test(line) ? 'format' : 'guessed'),
  },
  {
    id: 'us-ssn-named',
    description: 'US social security number without dashes, by its name',
    pattern:
      /(?:\bssn|_ssn|social[ _-]?security)[ \w#.(]{0,16}["']?[ \t]{0,4}[:=]?[ \t]{0,4}["']?([0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{4})(?:\D|$)/i,
    check: usSsn,
  },
  {
    id: 'ipv4',
    description: 'IPv4 address',
    pattern: new RegExp(`${START}(${OCTET}(?:\\.${OCTET}){3})(?:[^\\w.]|\\.(?:\\s|$)|$)`),
    check: ipAddress,
    byDefault: false,
  },
  {
    id: 'ipv6',
    description: 'IPv6 address',
    pattern: /(?:^|[^\w:.])((?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){1,6})(?:[^\w:]|$)/,
    check: ipAddress,
    byDefault: false,
  },
];

/** Data that identifies a person. */
export const personalRules: readonly Rule[] = rules.map((rule) => ({ ...rule, category: 'personal' }));
