import type { Rule } from '../compile/rule.ts';

/** Password hashes as systems store them: with a hash, an attacker can guess the password offline. */
export const hashRules: readonly Rule[] = [
  { id: 'bcrypt-hash', description: 'bcrypt hash of a password', pattern: /\$2[abxy]\$[0-9]{2}\$[./0-9A-Za-z]{53}/ },
  {
    id: 'crypt-hash',
    description: 'hash of a password as in /etc/shadow',
    pattern: /\$(?:1|5|6|apr1)\$(?:rounds=[0-9]{1,9}\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{22,86}/,
  },
  {
    id: 'yescrypt-hash',
    description: 'yescrypt hash of a password',
    pattern: /\$y\$[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{4,32}\$[./0-9A-Za-z]{43}/,
  },
  {
    id: 'argon2-hash',
    description: 'Argon2 hash of a password',
    pattern: /\$argon2(?:id|i|d)\$(?:v=[0-9]{1,3}\$)?[mtp=,0-9]{5,40}\$[0-9A-Za-z+/]{8,64}\$[0-9A-Za-z+/]{20,128}/,
  },
  {
    id: 'pbkdf2-hash',
    description: 'PBKDF2 hash of a password',
    pattern: /pbkdf2_sha(?:1|256|512)\$[0-9]{3,8}\$[./0-9A-Za-z]{4,64}\$[0-9A-Za-z+/]{20,128}={0,2}/,
  },
  {
    id: 'ldap-hash',
    description: 'hash of a password of a directory',
    pattern: /\{SS?HA(?:256|384|512)?\}[0-9A-Za-z+/]{26,128}={0,2}/,
  },
];
