import { isBarePasswordValue } from '../../checks/is-bare-password-value.ts';
import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isMade } from '../../checks/is-made.ts';
import { isPasswordValue } from '../../checks/is-password-value.ts';
import { assignedIfMade } from '../../checks/surroundings/assigned-if-made.ts';
import type { Rule } from '../../compile/rule.ts';
import { programArguments } from './program-arguments.ts';

/** A shell word, quoted or not. */
const WORD = '(?:"([^"\\s]{4,128})"|\'([^\'\\s]{4,128})\'|([^\\s"\'`\\\\<>()|;/-][^\\s"\'`\\\\<>|;]{3,127}))';
/** Other arguments before the secret. */
const MORE = '[^\\r\\n|;]{0,80}?';
/** Programs that read a password from their input. */
const READERS =
  'sudo[ \\t]{1,4}-S|(?:sudo[ \\t]{1,4})?chpasswd|passwd[ \\t]{1,4}--stdin|kinit|su[ \\t]|vncpasswd|cryptsetup|' +
  `(?:docker|podman|helm|oras)${MORE}--password-stdin|(?:gh|glab)[ \\t]${MORE}--(?:with-token|stdin)|gh[ \\t]{1,4}secret[ \\t]{1,4}set|` +
  '(?:npx[ \\t]{1,4})?wrangler[ \\t]{1,4}secret[ \\t]{1,4}put|vercel[ \\t]{1,4}env[ \\t]{1,4}add|gcloud[ \\t]{1,4}secrets';
const { options, positions, devices } = programArguments;

const rules: readonly Rule[] = [
  {
    id: 'option-password',
    description: 'password in the option -p of a program',
    pattern: new RegExp(`${options[0]}${WORD}`),
    check: isBarePasswordValue,
  },
  {
    id: 'other-option-password',
    description: 'password in an option of a program',
    pattern: new RegExp(`(?:${options.slice(1).join('|')})${WORD}`),
    check: isBarePasswordValue,
  },
  {
    id: 'command-password',
    description: 'password in the arguments of a program',
    pattern: new RegExp(`\\b(?:${positions.join('|')})${WORD}`, 'i'),
    check: (value, { match }) =>
      isBarePasswordValue(value) && (!/^identified/i.test(match) || (isChosenValue(value) && !/[{}]/.test(value))),
  },
  {
    id: 'device-password',
    description: 'password in the configuration of a network device',
    pattern: new RegExp(`\\b(?:${devices.join('|')})${WORD}`),
    // In prose both words are adjacent, and a word with a comma or a full stop follows.
    check: (value, { match }) =>
      isBarePasswordValue(value) &&
      (isMade(value) || !(/^username (?:and|or) /.test(match) || /^[a-z]+[,.]$/.test(value))),
  },
  {
    id: 'attached-password',
    description: 'password that follows -p without a space',
    pattern: new RegExp(
      `(?:mysql(?:dump|admin|import|show|check|slap)?|mariadb|7z[ar]?|rar)[ \\t](?:${MORE}[ \\t])?-h?p${WORD}`,
    ),
    check: (value) => isPasswordValue(value) && !/^(?:ort|rotocol|lugin|ager|ipe|rint)/.test(value),
  },
  {
    id: 'piped-password',
    description: 'password that is piped into a program',
    pattern: new RegExp(
      `\\b(?:echo|printf)[ \\t]{1,4}(?:-[ne][ \\t]{1,4})?(?:["']?%s(?:\\\\n)?["']?[ \\t]{1,4})?["']?(?:[\\w.-]{1,64}:)?([^\\s"'\`\\\\<>|;&-][^\\s"'\`\\\\<>|;&]{3,127})` +
        `(?:\\\\n)?["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:${READERS})`,
    ),
    check: isPasswordValue,
  },
  {
    id: 'here-string-password',
    description: 'password in a here string',
    pattern: new RegExp(
      `\\b(?:${READERS})[^\\r\\n|;<]{0,80}<<<[ \\t]{0,4}["']?(?:[\\w.-]{1,64}:)?([^\\s"'\`\\\\<>|;&-][^\\s"'\`\\\\<>|;&]{3,127})`,
    ),
    check: isPasswordValue,
  },
  {
    id: 'secure-string',
    description: 'password made into a secure string',
    pattern:
      /ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?(?:["']([^"'\r\n$]{4,128})["']|([^\s"'$(-][^\s"'`|;]{3,127})(?:\s|$))/i,
    check: isPasswordValue,
  },
  {
    id: 'login-call',
    description: 'password of a call that logs in',
    pattern:
      /(?:\.auth|[lL]ogin|uthenticate|PSCredential|mysqli?_connect|new PDO|getConnection|NetworkCredential|PasswordCredentials|PasswordAuthentication|BasicAuth(?:entication)?|etCredentials|basicCredentials|WiFi\.begin|auth[ \t]?=[ \t]?)\([ \t]?(?:["'][^"'\r\n]{1,56}["'][ \t]?,[ \t]?|[\w.]{1,40}[ \t]?,[ \t]?){1,2}["']([^"'\r\n]{4,128})["'][ \t]?[,).]/,
    check: isChosenValue,
  },
  {
    id: 'redis-login',
    description: 'password that is sent to Redis',
    pattern: /\bAUTH[ \t]{1,4}(?:[\w.-]{1,32}[ \t]{1,4})?([^\s"'`<>]{6,128})(?:[\s"']|$)/,
    check: isChosenValue,
  },
  {
    id: 'expect-password',
    description: 'password that a script of expect sends',
    pattern: /assword:?["'\s*?}{;]{0,12}send(?:_user)?[ \t]{1,4}(?:--[ \t]{1,4})?"([^"\s\\]{4,128})/,
    check: isPasswordValue,
  },
  {
    id: 'oracle-login',
    description: 'password of an Oracle login',
    pattern:
      /(?:sqlplus|sqlldr|expdp|impdp|oracle:thin:|oracle:oci:)[ \t]{0,4}(?:-\w{1,4}[ \t]{1,4})?[\w$]{1,30}\/([^\s"'`@\\]{3,64})@/,
    check: isPasswordValue,
  },
  {
    id: 'pgpass-line',
    description: 'password of a .pgpass line',
    pattern: /:(?:5432|5433|6432|\*):[\w*.-]{1,64}:[\w*.-]{1,64}:([^\s:"'`\\]{3,128})/,
    check: isPasswordValue,
  },
  {
    id: 'dsn-password',
    description: 'password of a data source name',
    pattern: /(?:^|[\s"'`=])[\w.-]{1,32}:([^\s"'`@:/\\]{3,128})@(?:tcp|udp|unix)[46]?\(/,
    check: isPasswordValue,
  },
  {
    id: 'login-pair',
    description: 'password behind a name and a slash or a colon',
    pattern:
      /(?:(?:creds?|credentials?|log ?in|account|ssh)(?:[ \t](?:with|is|are|as|using))?|zugangsdaten|anmeldedaten|identifiants|credenciales)[ \t]{0,2}[: \t][ \t]{0,2}[\w.@-]{2,64}(?:[ \t]?\/[ \t]?|:)([^\s"'`,;:/\\<>]{5,64})(?:[\s"'`,;.<]|$)/i,
    check: isChosenValue,
  },
];

/** Passwords on command lines of programs that take them without a name for passwords. */
export const shellRules: readonly Rule[] = rules.map((rule) => ({ confidence: assignedIfMade, ...rule }));
