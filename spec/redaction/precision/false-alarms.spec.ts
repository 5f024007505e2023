import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const lines = (text: string): string[] => text.trim().split('\n');
const texts: Readonly<Record<string, readonly string[]>> = {
  'numbers of eleven digits': lines(`
const limit = 17179869184;
{"bytes":18253611008}
ie=te+((ne=se+(ie<<21&4294967295|ie>>>11))|~ae)+re[8]+1873313359&4294967295
a=+B()+-1;z(1,(b&1048575)+1072079006|0)`),
  'ids with the check digit of a card': lines(`
{"order_id": 4532015112830366}
{"orderId":4532015112830366,"n":1}
id=4532015112830366
ID: "4532015112830366"`),
  'the verb and the verdict "pass"': lines(`
Pass \`onClick={f}\` to it
Pass force=true to overwrite
You may pass: \`timeout2\`
Either pass \`--e2e\` or \`--component\`
--- PASS: TestParse2 (0.00s)
ok ? 'pass' : 'FAIL'
{"pass": "Bestanden", "fail": "Nicht bestanden"}`),
  'folders and resources': lines(`
docker run -v "$PWD:/src" image
docker build --secret id=npmrc,src=.npmrc .
arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestDatabaseSecret-a1b2c3
vault:kv/secretV2:SecretV2`),
  'the header "authorization"': lines(`
Access-Control-Allow-Headers: Authorization, Content-Type
req.Header.Set("Authorization", signature)
headers.append('Authorization', getAuthorizationHeader(refreshToken));
import { deviceAuthorization, deviceAuthorizationOptionsSchema } from './x';
const authorization = buildOAuth1Header({ method })`),
  'labels and fields': lines(`
{ manageMasterPassword: "ManageMasterPassword" }
const EventType = { ForgotPassword: "ForgotPassword" };
INVALID_PASSWORD:"auth/wrong-password"
const DATA_API_KEY = '.data-api'
'allPass': 'overEvery',
["oauth_token","startOAuth2Flow","state"]
["a11y_accesskey","a11y_aria_activedescendant2_has_tabindex"]
{ token: "keyword.$0" }
{"foreground": "268bd2", "token": "markup.heading.1.markdown"}`),
  'code without quotes': lines(`
type A = { [key: string]: Schema$GoogleCloudRetailV2CustomAttribute };
const token: Response2 = x;
if (!!apiKey) go(apiKey=!0);
this._output.space_before_token=!0,this.print_string(_)
properties.EncryptionKey!=null?cfn_parse().FromCloudFormation.getString(x):void 0
set encryptionKey(value){this._encryptionKey=value}get environment(){return this.x}
u = '?password=' + pw + '&x=' + y
{password:"+f+",a:1}
e.password){if("password"===t.signInMethod)return this.x
t.ERR_INVALID_PASSWORD=t.ERR_KEY_VERSION_UNSUPPORTED=t.ERR_X=void 0`),
  'base64 of programs': lines(`
AAAA//EAAAAPrH2MM8QAAAAAACYA4nWwAAAAAAAAXuHzv4QAAAA93v7db8ryAAAB9X+yBniAAAAAAAATAHE62AAAAAA
KAwgBEGBYE8Ef0H07ARBACAAazYCAEF/BSAACwu6BgEGfyMAQRBrIgUkACAAKAIIIQYgBUEANgIMIAVBADYC
AAAQAP3/EAAC${'AhQhAQNAIAEg'.repeat(8)}/AgAAdAMAA
//DgD+/w8A+EAAB${'BwsgACgCBEEB'.repeat(9)}+AgAAdAMAA`),
  'translations and rules for passwords': lines(`
"RadiusSecret": "Radius-Geheimnis"
"radiusSecret": "Radius-geheim"
"WIFI_PASSWORD": "Wifi-Wachtwoord",
密码: 至少8位
"password": "密码长度为8-16位"
パスワード: 8文字以上
비밀번호: 8자이상
password: required|min:8
'password' => 'required|string|min:8|confirmed',
"password": "nullable|max:255"
password: min:8`),
  prose: lines(`
you can enable password updates, resets and more
columns identified by "colUsed2 and others"
a legacy registry that uses username and password authentication, this will clear it
Login with password from a file`),
};

describe('text that resembles a secret', () => {
  for (const [what, samples] of Object.entries(texts)) {
    for (const text of samples) {
      it(`stays, ${what}: ${text.slice(0, 60)}`, () => {
        expect(redactor.redact(`${text}\n`).findings).to.deep.equal([]);
      });
    }
  }

  it('redacts a card after a name that is not an ID, or that names a card', () => {
    for (const text of [
      'pan: 4532015112830366',
      'card_id=4532015112830366',
      'paid: 4532015112830366',
      'id: 4532 0151 1283 0366',
    ])
      expect(redactor.redact(`${text}\n`).findings, text).to.have.lengthOf(1);
  });

  it('redacts a value that only begins like a label or contains letters of other scripts', () => {
    for (const text of [
      'radius_secret = "Radius-2024!x"',
      '密码: 至少Tr4bz8',
      'password: required!8x',
      'пароль: Солнце123',
    ])
      expect(redactor.redact(`${text}\n`).findings, text).to.have.lengthOf(1);
  });

  it('redacts the token of a badge and keeps its link', () => {
    const text = `[![x](https://a.io/b.svg?token=${'eHg7Zp5z'.concat('dDDJfTjY')})](https://a.io/c)\n`;
    expect(redactor.redact(text).text).to.equal(
      '[![x](https://a.io/b.svg?token=[REDACTED:unquoted-token])](https://a.io/c)\n',
    );
  });
});
