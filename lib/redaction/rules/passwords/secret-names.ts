import { sameInAnyCase } from './same-in-any-case.ts';

/** What code and people call a secret, as the beginnings of patterns. Words begin behind `_` and `-` as well, as the scanner sees them. */
export const secretNames = {
  /** What people choose: the value may be anything. Humps in names (`ftpPass`, `FTPPASS`) mind the case. */
  passwords: `${sameInAnyCase(
    'password|passwd|passwrd|passphrase|passcode|passwort|kennwort|contrase(?:ñ|n)a|mot de passe|wachtwoord|lösenord|\\bsenha|\\bheslo|hasło|' +
      'пароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|parola|adgangskode|passord|salasana|(?:ş|s)ifre|jelszó|parool|mật khẩu|kata sandi|סיסמה|كلمة المرور|รหัสผ่าน|\\bclave|bindpw|rootpw|wpapsk|(?:wlan|wifi|netzwerk)[ -]?schlüssel|wi-?fi[ -]key|\\bpass|\\bpwd|\\bpswd|\\bpw|requirepass|masterauth|\\bpsk|wpa_passphrase',
  )}|Pass|Pwd|Pw|PASS|PWD|PSWD|PASSWD|storepass|keypass|[κΚ]ωδικός`,
  /** What machines make, by names that mean nothing else. */
  secrets: sameInAnyCase(
    // Short names stand alone: in a group they would be multiplied with all others of it.
    'secret(?:[_-]?(?:access[_-]?)?key|[_-]?token)?|api[_-]?(?:key|secret|token)|access[_-]?(?:key|token)(?:[_-]?secret)?|auth[_-]?(?:key|token|secret)|' +
      '(?:private|signing|encryption|master|hmac|subscription|decryption|application|consumer)[_-]?(?:key|secret)|jwt[_-]?(?:key|secret)|' +
      'snmp[_-]community|app[_-]?(?:key|secret|token)|bot[_-]?token|(?:refresh|bearer|oauth)[_-]?token',
  ),
  /** Names that mean other things as well: the value has to look like a token. */
  tokens: sameInAnyCase('token|credentials?|(?:storage|account|shared|licen[cs]e)[_-]?key|\\bauth|\\bsalt|[_-]dsn\\b'),
  /** Names of what opens something, or finds it. */
  keys: `${sameInAnyCase('\\bkey')}|Key`,
} as const;
