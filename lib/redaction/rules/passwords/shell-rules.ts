import { isBarePasswordValue } from '../../checks/is-bare-password-value.ts';
import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isPasswordValue } from '../../checks/is-password-value.ts';
import type { Rule } from '../../rule.ts';

/** A word of a shell, in quotes or not. */
const WORD = '(?:"([^"\\s]{4,128})"|\'([^\'\\s]{4,128})\'|([^\\s"\'`\\\\<>()|;-][^\\s"\'`\\\\<>|;]{3,127}))';
/** Other arguments that stand before. */
const MORE = '[^\\r\\n|;]{0,80}?';
const S = '[ \\t]{1,4}';

/** Programs, and where their password stands. */
const COMMANDS = [
  `sshpass${S}-p[ \\t]{0,4}`,
  `(?:docker|podman|buildah|skopeo|oras|crane)${S}login${MORE}[ \\t]-p${S}`,
  `mongo(?:sh|dump|restore|export|import|stat)?[ \\t]${MORE}-p${S}`,
  `az${S}login${MORE}[ \\t]-p${S}`,
  `rdesktop${MORE}[ \\t]-p${S}`,
  `redis-cli${MORE}[ \\t]-a${S}`,
  `(?:sqlcmd|bcp|mosquitto_[ps]ub|unzip|zip)[ \\t]${MORE}-P${S}`,
  `ldap(?:search|modify|add|delete|whoami|compare)[ \\t]${MORE}-w${S}`,
  `(?:smbclient|rpcclient|smbmap)[ \\t]${MORE}-U${S}[\\w./\\\\-]{1,64}%`,
  `xfreerdp${MORE}[ \\t]/p:`,
  `htpasswd${S}${MORE}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}${S}[^\\s]{1,80}${S}[^\\s]{1,64}${S}`,
  `net${S}user${S}[\\w.-]{1,64}${S}`,
  `net${S}use${S}${MORE}/user:[^\\s]{1,64}${S}`,
  `cmdkey${MORE}/pass:`,
  `(?:rabbitmqctl|lftp)${S}(?:add_user|change_password|authenticate_user|-u)${S}[\\w.-]{1,64}[ \\t,]{1,4}`,
  `openssl[ \\t]${MORE}-k${S}`,
  `identified${S}by${S}`,
  `identified${S}with${S}\\w{4,40}${S}by${S}`,
];

/** Passwords on command lines, of programs that take them without a word that says so. */
export const shellRules: readonly Rule[] = [
  {
    id: 'command-password',
    description: 'password in the arguments of a program',
    pattern: new RegExp(`(?:${COMMANDS.join('|')})${WORD}`, 'i'),
    check: isBarePasswordValue,
  },
  {
    id: 'attached-password',
    description: 'password that follows -p without a space',
    pattern: new RegExp(`(?:mysql(?:dump|admin|import|show|check|slap)?|mariadb|7z[ar]?)[ \\t]${MORE}[ \\t]-p${WORD}`),
    check: (value) => isPasswordValue(value) && !/^(?:ort|rotocol|lugin|ager|ipe|rint)/.test(value),
  },
  {
    id: 'piped-password',
    description: 'password that is piped into a program',
    pattern:
      /\becho[ \t]{1,4}(?:-[ne][ \t]{1,4})?["']?(?:[\w.-]{1,64}:)?([^\s"'`\\<>|;&-][^\s"'`\\<>|;&]{3,127})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S|chpasswd|sudo[ \t]{1,4}chpasswd|passwd[ \t]{1,4}--stdin|kinit|su[ \t]|cryptsetup|(?:docker|podman|helm|oras)[^\r\n|;]{0,80}?--password-stdin)/,
    check: isPasswordValue,
  },
  {
    id: 'expect-password',
    description: 'password that a script of expect sends',
    pattern: /assword:?["'\s*?}{]{0,8}send[ \t]{1,4}(?:--[ \t]{1,4})?"([^"\s\\]{4,128})/,
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
      /(?:creds?|credentials?|log ?in|account|ssh)(?:[ \t](?:with|is|are|as|using))?[ \t]{0,2}[: \t][ \t]{0,2}[\w.@-]{2,64}(?:[ \t]{1,2}\/[ \t]{1,2}|:)([^\s"'`,;:/\\<>]{5,64})(?:[\s"'`,;.<]|$)/i,
    check: isChosenValue,
  },
];
