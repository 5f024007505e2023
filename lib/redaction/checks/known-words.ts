/** Words that stand for a secret, name one or describe one. */
const WORDS = new Set(
  `access accesstoken any api apikey api-key api_key auth authorization auto bar baseline basic baz bearer body bool boolean browser buffer button
  bytes cancel change changeit changeme char clear client-secret client_secret click close code confirm confirmed connect continue cookie copy
  create credential credentials current custom default delete deny digest disable disabled display done edit email empty enable enabled enter
  env error expired external failed false field file foo foobar forgot forgotten form function generate get header hidden hide identifier include
  inherit input int internal invalid jwt key keyring keyword label link literal local login logout manual memory missing mypassword mysecret mytoken
  name never new next nil no none null number oauth oauth2 object off ok old omit on operator optional owner parameter pass passphrase passwd
  password passwort path plain primary private private-key private_key prompt public punctuation pwd query read recover redacted ref refresh
  register remember remove repeat required reset retry retype same-origin save secondary secret secret-key secret_key secretkey secretvalue
  select self server session sessionstorage set show sign signin signup some static store string str strong submit success system temporary
  test testing text toggle token true type undefined unknown unlock unset unsafe update user username valid validate value verify view void
  weak width wrong write xxx yes
  contraseña contrasena heslo hasło kennwort lösenord adgangskode passord parola parol salasana senha şifre sandi wachtwoord jelszó
  пароль парола гасло 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 סיסמה סיסמא`.split(/\s+/),
);

/** Returns whether a text is a word, or several words in one, that names or describes secrets. */
export function isLabelWord(text: string): boolean {
  return WORDS.has(text.toLowerCase());
}

/** Words of letters only that are so common as passwords that they count as one wherever a password may be. */
const COMMON = new Set(
  `letmein qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou trustno monkey dragon sunshine princess football baseball
  basketball superman batman master shadow michael jennifer jordan hunter ranger thomas robert daniel andrew joshua ashley charlie donald
  freedom starwars pokemon cheese chocolate killer pepper ginger summer winter flower
  hello hellothere welcome letmeinnow opensesame sesame abcdef abcdefg abcdefgh abcabc aaaaaa supersecret topsecret
  hunterhunter iloveu lovely loveme nicole jessica matthew mustang corvette ferrari porsche yankees dallas arsenal liverpool chelsea
  barcelona juventus administrator toor alpine raspberry calvin changethis correcthorse correcthorsebatterystaple swordfish`.split(
    /\s+/,
  ),
);

/** Returns whether a text without digits is a common password. */
export function isCommonPassword(text: string): boolean {
  return COMMON.has(text.toLowerCase());
}
