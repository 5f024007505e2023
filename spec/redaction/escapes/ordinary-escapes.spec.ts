import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const digest = (text: string, encoding: 'base64' | 'hex') => createHash('sha512').update(text).digest(encoding);
const image = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * at * 31) & 255)).toString('base64');

const texts: Readonly<Record<string, string>> = {
  'a URL with a query':
    'https://a.io/find?q=how%20to%20reset%20a%20password%3F&page=2&sort=name%2Cdate&redirect=%2Fhome%3Ftab%3D1 ',
  'a URL within a URL': 'https://a.io/login?next=https%253A%252F%252Fb.io%252Ftoken%252Finfo%253Fid%253D12345678 ',
  'an HTML page':
    '<p title="&quot;Password&quot; &amp; token">Type your password:&nbsp;<input name="password" placeholder="&#8226;&#8226;"></p>\n',
  'HTML source code':
    '&lt;input type=&quot;password&quot; name=&quot;password&quot; autocomplete=&quot;current-password&quot;&gt;\n',
  'minified JSON':
    '{"msg":"Enter password:\\n","re":"\\\\bpassword\\\\b","path":"C:\\\\tools\\\\new\\\\token.txt","u":"caf\\u00e9","q":"say \\"token\\" twice"}\n',
  'message strings in code':
    "printf(\"password %20s token=%02d\\n\\tkey: %s\\n\", a, b);\nconst x = 'it\\'s the password\\n' + secret;\n",
  'a hash in a lock file': `"integrity": "sha512-${digest('a', 'base64')}",\n`,
  'an image in a page': `<img src="data:image/png;base64,${image}">\n`,
  'an image in a style': `background:url(data:image/svg+xml,%3Csvg%20xmlns%3D%22http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg%22%3E%3C%2Fsvg%3E)\n`,
  'a source map': `{"version":3,"mappings":"AAAA,SAASA,KAAK;${'CAAC,GAAGC,IAAI;'.repeat(40)}","sourcesContent":["const token = getToken();\\nlogin(user, password);\\n"]}\n`,
  'lines of an email': `Content-Transfer-Encoding: quoted-printable\n\n${'Bring your password with you, '.repeat(2)}and the key =\nof the house.\n`,
  'empty values': 'DB_PASSWORD=\nSMTP_HOST=mail.example.com\nAPI_SECRET=\nKEY_FILE=/etc/keys/a.pem\n',
  'scripts that join letters': 'رمز عبور: فراموش‌شده 👨‍👩‍👧 密码：必填项，请输入。ＡＢＣ株式会社　パスワード：必須\n',
  'a hash': `sha512:${digest('b', 'hex')}\n`,
};

describe('ordinary text with escapes', () => {
  for (const [what, text] of Object.entries(texts)) {
    it(`keeps ${what}`, () => {
      const { findings } = redactor.redact(text);
      expect(findings.map(({ rule, start, end }) => `${rule}: ${text.slice(start, end)}`)).to.deep.equal([]);
    });
  }
});
