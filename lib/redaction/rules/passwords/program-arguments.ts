/** Space between arguments. */
const S = '[ \\t]{1,4}';
/** Other arguments before the secret. */
const MORE = '[^\\r\\n|;]{0,80}?';
const NAME = '[\\w.@/\\\\-]{1,64}';

/** Options that take a password under another name, and their programs. `\b` precedes them; the value may follow in quotes. */
const OPTIONS: readonly (readonly [option: string, programs: string])[] = [
  [
    `-p${S}`,
    `(?:docker|podman|buildah|skopeo|oras|crane)${S}login|helm${S}registry${S}login|mongo(?:sh|dump|restore|export|import|stat)?|(?:az|oc)${S}login|` +
      `rdesktop|cqlsh|useradd|usermod|crackmapexec|nxc${S}(?:smb|ssh|winrm|ldap)|evil-winrm|hydra|psexec|twine${S}upload|certutil|altool|security${S}unlock-keychain`,
  ],
  [`-P${S}`, `sqlcmd|bcp|isql|mosquitto_(?:pub|sub)|unzip|zip|ipmitool|security${S}import`],
  [`-w[ \\t]{0,4}`, `ldap(?:search|modify|add|delete|whoami|compare)|security${S}add-(?:generic|internet)-password`],
  [`-pw${S}`, 'plink|pscp|psftp|putty'],
  [`(?:-a|--pass)${S}`, 'redis-cli'],
  [`-[AXc]${S}`, 'snmp(?:walk|get|bulkwalk|set|table)'],
  [`-k${S}`, 'openssl'],
  [`-N${S}`, 'ssh-keygen'],
  [`(?:--body|-b)[ \\t=]{0,4}`, `gh${S}secret${S}set`],
  [`--value[ \\t=]{1,4}`, `az${S}keyvault${S}secret${S}set`],
  [`(?:-a|--auth)[ =]${NAME}:`, 'https?'],
  [`-U${S}${NAME}%`, 'smbclient|rpcclient|smbmap'],
  [`/p:`, 'xfreerdp'],
  [`/pass:`, 'cmdkey'],
  [`/r?p${S}`, 'schtasks|signtool'],
  [`using${S}`, `db2${S}connect`],
];

/** Commands with the password as a later word. */
const POSITIONS: readonly string[] = [
  `sshpass${S}-p[ \\t]{0,4}`,
  `wpa_passphrase${S}(?:"[^"\\r\\n]{1,32}"|[^\\s"]{1,32})${S}`,
  `htpasswd${S}${MORE}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}${S}[^\\s]{1,80}${S}[^\\s]{1,64}${S}`,
  `net${S}user${S}${NAME}${S}`,
  `net${S}use${S}(?:${MORE}/user:[^\\s]{1,64}${S}|(?:[a-z*]:?${S})?\\\\\\\\[^\\s]{1,80}${S})`,
  `dscl${S}[^\\s]{1,40}${S}-passwd${S}[^\\s]{1,64}${S}(?:[^\\s]{1,64}${S})?`,
  `(?:rabbitmqctl|lftp)${S}(?:add_user|change_password|authenticate_user|-u)${S}[\\w.-]{1,64}[ \\t,]{1,4}`,
  `(?:vault|cargo)${S}login${S}`,
  `vault${S}kv${S}(?:put|patch)${S}${MORE}[ \\t][\\w.-]{1,64}=`,
  `aws${S}configure${S}set${S}[\\w.-]{0,40}(?:secret|token)[\\w.-]{0,24}${S}`,
  `npm${S}(?:config${S})?set${S}[^\\s=]{0,80}:_(?:authToken|auth|password)[= \\t]{1,4}`,
  `poetry${S}config${S}(?:http-basic\\.[^\\s]{1,40}${S}[^\\s]{1,64}|pypi-token\\.[^\\s]{1,40})${S}`,
  `mc${S}alias${S}set${S}[^\\s]{1,40}${S}[^\\s]{1,80}${S}[^\\s]{1,64}${S}`,
  `virsh${S}secret-set-value${S}(?:--base64${S})?[^\\s]{1,64}${S}`,
  `iwconfig${S}[\\w]{1,16}${S}key${S}s:`,
  `setx${S}[\\w]{0,40}(?:key|token|secret|password|pwd|pass)[\\w]{0,16}${S}`,
  `Dsonar\\.(?:login|token)=`,
  `from-literal[= ]["']?[\\w.-]{1,64}=`,
  `identified${S}by${S}`,
  `identified${S}with${S}\\w{4,40}${S}by${S}`,
];

/** Configuration lines of routers and switches. A number is the encoding of the secret. */
const DEVICES: readonly string[] = [
  `enable${S}(?:secret|password)${S}(?:level${S}[0-9]{1,2}${S})?(?:[0-9]${S})?`,
  `username${S}${NAME}${S}(?:privilege${S}[0-9]{1,2}${S})?(?:password|secret)${S}(?:[0-9]${S})?`,
  `snmp-server${S}community${S}`,
  `(?:tacacs|radius)-server${S}(?:host${S}[^\\s]{1,40}${S})?key${S}(?:[0-9]${S})?`,
  `crypto${S}isakmp${S}key${S}(?:[0-9]${S})?`,
  `ppp${S}(?:chap|pap)${S}(?:hostname${S}[^\\s]{1,40}${S}|sent-username${S}[^\\s]{1,40}${S})?password${S}(?:[0-9]${S})?`,
  `pre-shared-key${S}(?:(?:local|remote|ascii-text|hex)${S})?(?:[0-9]${S})?`,
  `key-string${S}(?:[0-9]${S})?`,
];

/** Places of passwords on command lines and in the lines of devices: the beginnings of patterns, before the value. */
export const programArguments = {
  options: OPTIONS.map(([option, programs]) => `\\b(?:${programs})[ \\t]${MORE}${option}`),
  positions: POSITIONS,
  devices: DEVICES,
} as const;
