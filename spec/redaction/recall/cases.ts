import { seeded } from '../example-of.ts';

/** A text, and the part that must be redacted. */
export interface RecallCase {
  readonly kind: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

const random = seeded(20_260);
const pick = (letters: string): string => letters[Math.floor(random() * letters.length)] as string;
const some = (length: number, letters: string): string => Array.from({ length }, () => pick(letters)).join('');
const LOWER = 'abcdefghijkmnopqrstuvwxyz';
const DIGITS = '23456789';
const ALL = LOWER + LOWER.toUpperCase() + DIGITS;
const chosen = (): string => `${some(4, ALL)}${pick('!#%?')}${some(3, DIGITS)}${some(3, LOWER)}`;
const made = (length = 24): string => some(length - 2, ALL) + pick(DIGITS) + pick(LOWER);
const hex = (length: number): string => some(length, '0123456789abcdef');
const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
const DASHES = '-'.repeat(5);
const lines = (text: string): readonly string[] => text.trim().split('\n');

/** The sign stands for the value. */
const templates: Readonly<Record<string, readonly [value: () => string, texts: readonly string[]]>> = {
  'names of languages': [
    chosen,
    lines(`
ПАРОЛЬ|Пароль|пароль|ŞİFRE|Şifre|şifreniz|ΚΩΔΙΚΟΣ|ΚΩΔΙΚΌΣ|κωδικός|密码|密碼|口令|암호|비밀번호|パスワード|暗証番号|парола|ПАРОЛА|гасло|пароль доступу|पासवर्ड|mdp|MDP|Mot de passe
Passwort|KENNWORT|contraseña|CONTRASEÑA|contrasenya|senha|SENHA|palavra-passe|hasło|HASŁO|heslo|geslo|lozinka|лозинка|lösenord|LÖSENORD|adgangskode|passord|salasana|jelszó|JELSZÓ|wachtwoord
mật khẩu|kata sandi|รหัสผ่าน|كلمة المرور|كلمة السر|סיסמה|slaptažodis|fjalëkalimi|parola|parole|clave|пассворд`)
      .join('|')
      .split('|')
      .flatMap((name) => [`${name}: ~`, `${name}：~`, `"${name}": "~"`]),
  ],
  'keys in languages': [
    made,
    '密钥|令牌|токен|ТОКЕН|APIキー|API 키|API密钥|clé API|API-Schlüssel|api-schlüssel|ключ API|トークン|토큰|秘钥'
      .split('|')
      .flatMap((name) => [`${name}: ~`, `${name}=~`]),
  ],
  'blanks that do not break': [
    chosen,
    ['password:\u00a0~', 'mot de passe\u00a0: ~', 'mot\u00a0de\u00a0passe\u00a0:\u00a0~', 'пароль:\u3000~'],
  ],
  'values that look like names': [
    () => `${pick('ABCDEFGH')}${some(5, LOWER)}_${pick('KLMNPRST')}${some(6, LOWER)}`,
    ['password = ~', 'password = "~"', 'PASSWORD=~', 'pwd: ~'],
  ],
  lists: [
    made,
    [
      'passwords = ["~", "~", "~"]',
      "tokens: ['~', '~']",
      'passwords:\n  - ~\n  - ~',
      'api_keys:\n- ~\n- ~\n- ~',
      'secrets = {"~", "~"}',
    ],
  ],
  'blocks of YAML': [made, ['password: |\n  ~', 'password: >-\n  ~', 'api_key: |\n    ~', 'client_secret: >\n  ~']],
  braces: [chosen, ['Server=h;Uid=sa;Pwd={~};', 'UID=x;PWD={~;a};Database=d']],
  'URLs with signs': [
    chosen,
    ['mongodb://bob:p@~@host/db', 'https://bob:~@host/x', 'amqp://a:~@h:5672/v', 'postgres://u:~@db/app?x=1'],
  ],
  'longer than the format': [
    () => made(400),
    ['sk_live_~ x', 'npm_~ x', 'ghp_~ x', 'sk-proj-~ x', 'xoxb-~ x', 'glpat-~ x'],
  ],
  'unseen characters': [
    () => some(40, ALL).replace(/.{4}/g, `$&${pick('\u200b\u200f\u034f\u2060\u2066\ufe0f')}`),
    ['ghp_~ x', 'npm_~ x', 'hf_~ x'],
  ],
  'words of placeholders': [
    () => `${['example', 'changeme', 'your', 'dummy'][Math.floor(random() * 4)]}#${some(3, DIGITS)}${some(4, ALL)}!x`,
    ['password: "~"', 'DB_PASSWORD=~', "password = '~'", '{"password": "~"}'],
  ],
  'UUIDs of tokens': [
    uuid,
    ['token', 'API_TOKEN', 'auth_token', 'SESSION_TOKEN', 'X-Auth-Token', 'api_key', 'secret', 'client_secret'].flatMap(
      (name) => [`${name}=~`, `"${name}": "~"`, `${name}: ~`],
    ),
  ],
  'services and words': [
    made,
    ['stripe secret ~', 'datadog api key - ~', 'Netlify token — ~', 'the sentry auth token is ~', 'openai key: ~'],
  ],
  prefixes: [
    () => made(40),
    ['glrtr-~ x', 'glwt-~ x', 'n8n_api_~ x', 'AKLT~ x', 'AQVN~ x', 'xoxe.xoxp-1-~~~~ x', 'shpss_~', 'SG.~.~ x'],
  ],
  'prefixes of a length': [() => made(32), ['AKID~ x']],
  'commands of Windows': [
    chosen,
    [
      'ConvertTo-SecureString -String ~ -AsPlainText',
      'ConvertTo-SecureString "~" -AsPlainText -Force',
      'cmdkey /pass:~',
      'net user bob ~',
    ],
  ],
  'escapes of mail and code': [
    made,
    ['password=3D~', 'api_key%3D~', '\\"password\\": \\"~\\"', 'password&#61;~', 'api_key&#x3D;~'],
  ],
  'web hooks and signatures': [
    () => made(64),
    [
      'https://hooks.slack.com/services/T0ABCDEF1/B0ABCDEF2/~',
      'https://discord.com/api/webhooks/123456789012345678/~',
      'https://x.blob.core.windows.net/c?sv=2020&sig=~%3D',
      'https://a.io/b?token=~',
    ],
  ],
  'what follows a command': [
    made,
    [
      'curl -H "Authorization: Bearer ~" u',
      'curl -u bob:~ u',
      'docker login -p ~ h',
      'mysql -p~ db',
      'export API_KEY=~',
      'aws configure set aws_secret_access_key ~',
    ],
  ],
};

/** Returns the lines of a key in the form of base64 of its bytes. */
function keyLines(): readonly string[] {
  const head = `MIIEv${pick('AQIg')}IBADANBgkqhkiG9w0BAQEFAASC`;
  return [`${head}${some(64 - head.length, `${ALL}+/`)}`, ...Array.from({ length: 6 }, () => some(64, `${ALL}+/`))];
}

function keyCases(): readonly RecallCase[] {
  const log = (line: string) =>
    `2030-01-01T00:00:00.000Z {"level":"info","service":"payments","host":"ip-10-0-0-1.eu-west-1.compute.internal","pid":12345,"requestId":"${hex(12)}","msg":"${line}"}`;
  const html = (line: string) =>
    `<tr><td class="blob-num js-line-number" data-line-number="9"></td><td class="blob-code blob-code-inner js-file-line"><span class="pl-s">${line}</span></td></tr>`;
  const ways: Readonly<Record<string, (whole: readonly string[]) => string>> = {
    'as it is': (whole) => whole.join('\n'),
    'in a wide log': (whole) => whole.map(log).join('\n'),
    'in the view of a page': (whole) => whole.map(html).join('\n'),
    'in a URL': (whole) => encodeURIComponent(whole.join('\n')),
    'with words in between': (whole) =>
      [...whole.slice(0, 3), 'some words in the middle of it '.repeat(6), ...whole.slice(3)].join('\n'),
    'without BEGIN': (whole) => whole.slice(1).join('\n'),
    'without BEGIN and END': (whole) => whole.slice(1, -1).join('\n'),
    'without BEGIN, of no header': (whole) => [some(64, ALL), ...whole.slice(2)].join('\n'),
    'in a narrow column': (whole) => whole.flatMap((line) => line.match(/.{1,20}/g) as string[]).join('\n'),
    'in one line': (whole) => `key=${whole.slice(1, -1).join('')} x`,
  };
  return Object.entries(ways).flatMap(([way, show]) =>
    Array.from({ length: 3 }, () => {
      const key = keyLines();
      const text = show([`${DASHES}BEGIN PRIVATE KEY${DASHES}`, ...key, `${DASHES}END PRIVATE KEY${DASHES}`]);
      return {
        kind: `private key ${way}`,
        text,
        secrets: key.map((line) => line.slice(36, 56).replace(/[+/].*/, '')).filter((part) => part.length > 5),
      };
    }),
  );
}

function otherKeys(): readonly RecallCase[] {
  const one = (kind: string, text: (value: string) => string, length: number, letters = ALL): RecallCase => {
    const value = some(length, letters);
    return { kind, text: text(value), secrets: [value.slice(8, 24)] };
  };
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return [
    one('openssh key', (value) => `b3BlbnNzaC1rZXktdjEAAAAABG5vbmU${value} x`, 120),
    one('member of a JWK', (value) => `{"crv":"P-256","d":"${value}","ext":true,"kty":"EC"}`, 43),
    one('member of a JWK', (value) => `{"kty":"EC","crv":"P-256","d":"${value}"}`, 43),
    one('NKEY seed', (value) => `seed SUA${value} x`, 55, base32),
    one('wallet', (value) => `xprv${value} x`, 107),
    one('key of a cluster', (value) => `    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo${value}`, 200),
    { kind: 'card behind a name', text: `x_4111${'1'.repeat(12)} `, secrets: ['1'.repeat(12)] },
    { kind: 'card behind an escape', text: `a%224111${'1'.repeat(12)}%22`, secrets: ['1'.repeat(12)] },
  ];
}

/** The corpus: each value is generated here, so none is written down. */
export const recallCases: readonly RecallCase[] = [
  ...Object.entries(templates).flatMap(([kind, [value, texts]]) =>
    texts.flatMap((template) =>
      [0, 1].map((): RecallCase => {
        const secrets: string[] = [];
        const text = template.replace(/~/g, () => {
          const one = value();
          secrets.push(one);
          return one;
        });
        return { kind, text: `${text}\n`, secrets: secrets.map((secret) => secret.slice(-10)) };
      }),
    ),
  ),
  ...keyCases(),
  ...otherKeys(),
];
