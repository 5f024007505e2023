import type { Rule } from '../compile/rule.ts';
import { FOLD, folded } from './folded.ts';
import { jwkRules } from './jwk-rules.ts';
import { keyEndRule, PREFIX } from './key-end-rule.ts';

/** Line ends in files, in JSON strings and in quoted code. */
const BREAK = '(?:\\\\{1,2}r|\\\\{1,2}n|[\\r\\n]){1,4}';
/** Beginnings of a line in a diff, a quotation, a comment or an indented block. */
const INDENT = '[ \\t+>|*#"\']*';
const LINE = '(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)[ \\t]?:[^\\r\\n\\\\]*|[0-9A-Za-z+/=]{2,})';
/** Text between two runs of a key: line numbers, times, file names, colours, quotes, tags. */
const BETWEEN = '[\\s\\S]{0,320}?';
/** The rest of a line of any width, and the beginning of the next. */
const WIDE = '[^\\r\\n]*\\r?\\n[^\\r\\n]*?';
const RUN = '[0-9A-Za-z+/=]{19}([0-9A-Za-z+/=]+)';
/** Lines as in files, keys in one line, and runs with any text between them, which is redacted too. */
const BODY = `(?:(${BREAK}${INDENT}${LINE})|([ \\t]?[0-9A-Za-z+/=]{40,})|${BETWEEN}${RUN})*?`;

const KIND = `[0-9A-Z ]{0,16}${FOLD}[0-9A-Z ]{0,24}`;

const BEGIN = `-----BEGIN${KIND}${folded('PRIVATE KEY')}(?:${FOLD} ${folded('BLOCK')})?${FOLD}${folded('----')}`;
/** It takes precedence wherever possible: nothing after it is part of the key. */
const END = `${BETWEEN}-----END${KIND}${folded('----')}${FOLD}(-)`;

/** `-----BEGIN`, a space and the kind of the key in base64. */
const BEGUN = ['RSA PRIV', 'PRIVATE', 'EC PRIVA', 'OPENSSH PRIV', 'DSA PRIV', 'ENCRYPTED PRIV', 'PGP PRIV'].map(
  // The last digit depends on the next character.
  (kind) => btoa(`-----BEGIN ${kind}`).slice(14).replaceAll('=', '').slice(0, -1),
);

/** The base64 beginnings of DER and of the OpenSSH and OpenPGP formats: the version and the algorithm, which occur only in private keys. */
const HEADERS = [
  'MII[0-9A-Za-z+/]{3}IBADANBgkqhkiG9w0BAQEFAA',
  'MII[0-9A-Za-z+/]{3}IBAAK[BC]',
  'MHcCAQEEI',
  'MIGkAgEBBD',
  'MIHcAgEBBEI',
  'MIG[0-9A-Za-z+/]AgEAM[BD][MA]GByqGSM49',
  'MC[0-9A-Za-z+/]CAQ[AE]wBQYDK2V',
  'MI[0-9A-Za-z+/]{3,6}BgkqhkiG9w0BBQ0',
  'b3BlbnNzaC1rZXktdjEA',
  'lQ[0-9A-Za-z+/]{2}B[E-H][0-9A-Za-z+/]{40}',
  'lFgE[Q-Z][0-9A-Za-z+/]{40}',
];

/**
 * Private keys, from their first line on. A truncated key is a key: the last line may be missing. The first line has its own rule, because a swallowing rule
 * hides everything from its beginning, and certificates begin like keys. The two overlap in its last character.
 */
export const pemRules: readonly Rule[] = [
  {
    id: 'private-key-in-base64',
    description: 'private key, its first line included, in base64',
    pattern: new RegExp(`LS0tLS1CRUdJTi(?:${BEGUN.join('|')})[0-9A-Za-z+/]{20,}={0,2}`),
    maxLength: 16_384,
  },
  {
    id: 'private-key-header',
    description: 'private key without its first line, by the header of its format, which stays',
    pattern: new RegExp(
      `\\b(?:${HEADERS.join('|')})([0-9A-Za-z+/]+={0,2})(?:(?:\\\\{1,2}n|\\r?\\n)[ \\t>|*#+]{0,8}[0-9A-Za-z+/]{19}([0-9A-Za-z+/]+={0,2}))*` +
        // Only lines of the usual width behind a prefix are lines of the key, and the line after them.
        `(?:(?:\\r?\\n${PREFIX}[0-9A-Za-z+/]{59}([0-9A-Za-z+/]+))+(?:\\r?\\n${PREFIX}[0-9A-Za-z+/]{19}([0-9A-Za-z+/]+={0,2}))?)?`,
    ),
    swallow: true,
  },
  {
    id: 'private-key-in-url',
    description: 'private key that is escaped for a URL',
    pattern:
      /-----BEGIN(?:(?:%20|\+)[0-9A-Z]{1,12}){0,3}(?:%20|\+)PRIVATE(?:%20|\+)KEY-----((?:[0-9A-Za-z+/=]|%(?:25)?[0-9A-Fa-f]{2}){16,})/,
    entropy: 3,
    maxLength: 16_384,
  },
  ...jwkRules,
  { id: 'private-key', description: 'private key', pattern: new RegExp(`${BEGIN}${FOLD}-`, 'i') },
  {
    id: 'private-key-body',
    description: 'lines of a private key',
    pattern: new RegExp(`${BEGIN}${FOLD}(-)${BODY}${END}`, 'i'),
    swallow: true,
  },
  {
    id: 'private-key-in-wide-lines',
    description: 'lines of a private key behind a long text that they share',
    pattern: new RegExp(
      `-----BEGIN[0-9A-Z ]{0,16}PRIVATE KEY(?: BLOCK)?----(-)(?:${WIDE}[0-9A-Za-z+/=]{15}([0-9A-Za-z+/=]+))*?${WIDE}-----END[0-9A-Z ]{0,24}----(-)`,
    ),
    swallow: true,
    aligned: true,
  },
  {
    id: 'ssh2-private-key',
    description: 'SSH2 private key',
    pattern: new RegExp(
      `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ---(-)${BODY}${BETWEEN}---- END SSH2[0-9A-Z ]{0,40}---(-)`,
    ),
    swallow: true,
  },
  {
    id: 'putty-private-key',
    description: 'PuTTY private key',
    pattern: new RegExp(`Private-Lines: [0-9]{1,3}(${BREAK})${BODY}${BETWEEN}Private-MAC: ?([0-9a-f]{20,})`),
    swallow: true,
  },
  keyEndRule,
];
