import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const chosen = ['Tr4bz!8qLm', 'sunflower88'];
const made = ['k3j9X2m8Q5w7z1v4b6N0c8d2'];
/** The sign stands for the secret. */
const lines = (text: string): string[] => text.trim().split('\n');
const ways: Readonly<Record<string, readonly [values: readonly string[], lines: readonly string[]]>> = {
  'in the languages of the world': [
    chosen,
    lines(`
Das Passwort lautet ~
Passwort für den Server: ~
Zugangsdaten: admin / ~
WLAN-Schlüssel: ~
mot de passe : ~
Votre mot de passe est « ~ »
La contraseña es ~
la clave es ~
A senha é ~
La parola è ~
La parola chiave è ~
parola chiave: ~
Parola d'ordine: ~
Parola este ~
parolă: ~
PAROLĂ = ~
{"value":"~","name":"DB_PASSWORD"}
het wachtwoord is ~
passord: ~
salasana: ~
şifre: ~
jelszó: ~
mật khẩu: ~
пароль от почты: ~
Κωδικός: ~
סיסמה: ~
كلمة المرور: ~
รหัสผ่าน: ~
密码为~
パスワードは ~ です
비밀번호: ~
password **~**
"password should be ~"`),
  ],
  'in calls that log in': [
    chosen,
    lines(`
login("bob", "~")
requests.get(u, auth=("bob", "~"))
HTTPBasicAuth("bob", "~")
mysqli_connect('host', 'bob', '~')
new PDO('mysql:host=h', 'bob', '~')
DriverManager.getConnection(url, "bob", "~")
new NetworkCredential("bob", "~")
new UsernamePasswordCredentials("bob", "~")
PasswordAuthentication("bob", "~".toCharArray())
WiFi.begin("home", "~")`),
  ],
  'in URLs, headers and configuration': [
    made,
    lines(`
https://host/x?token=~
https://host/x?a=1&api_key=~&b=2
https://host/x?sv=2020&sig=~
https://host/x?X-Amz-Signature=~&x=1
https://host/back?code=~&state=x
Authorization: Basic ~
Authorization: Bearer ~
X-Api-Key: ~
Cookie: session=~
Set-Cookie: JSESSIONID=~; Path=/
jdbc:mysql://host/db?user=bob&password=~
Server=h;Database=d;Uid=sa;Pwd=~;
Driver={ODBC};Server=h;UID=sa;PWD=~;
mongodb://bob:~@host/db
redis://:~@host:6379
bindpw ~
<entry key="password">~</entry>
<key>ApiKey</key><string>~</string>
ENV API_KEY=~
password = "~"
snmp_community = ~
use ~ as the API key
Use "~" as your token.
{"value":"~","name":"API_KEY"}
[{ "Value": "~", "Key": "clientSecret" }]`),
  ],
};

const harmless = lines(`
the password for the server must be changed
Das Passwort für den Server wurde geändert.
la clave primaria de la tabla es user_id
https://host/back?code=404&state=x
https://host/search?key=name&sig=none
login("bob", password)
new NetworkCredential(user, secret.value)
getConnection(url, "user_name", "user_password")
the login page/form and the account settings/page2.html
use user_name2 as the key
use 2048-bit as the key size
use "created_at2" as the sort key
{"value":"Password2","name":"password"}
{"value":"created_at2","name":"key"}
{"value":"k3j9X2m8Q5w7z1v4b6N0c8d2","name":"title"}
const headers = { authorization, ...rest };`);

describe('a secret as people and programs write it', () => {
  for (const [where, [values, texts]] of Object.entries(ways)) {
    for (const line of texts) {
      it(`is redacted ${where}: ${line}`, () => {
        for (const value of values) {
          const { text } = redactor.redact(`${line.replace('~', () => value)}\n`);
          expect(text, value).not.to.include(value.slice(0, 4)).and.not.to.include(value.slice(-4));
        }
      });
    }
  }

  it('is absent from ordinary text', () => {
    for (const line of harmless) expect(redactor.redact(`${line}\n`).findings, line).to.deep.equal([]);
  });
});
