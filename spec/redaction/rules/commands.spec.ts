import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const values = ['Tr4bz!8qLm', 'sunflower88'];
/** The sign stands for the password. */
const commands = `
wpa_passphrase home ~
wpa_passphrase "my home" "~"
useradd -m -p ~ bob
usermod -p '~' bob
gh secret set NAME --body ~
gh secret set NAME -b"~"
gh auth login --with-token <<< ~
echo ~ | gh auth login --with-token
curl -u me:~ https://host/
http -a bob:~ host
prog --password ~
prog --password=~
mysql -p'~' db
rar a -hp~ x.rar
echo ~ | passwd --stdin bob
echo 'bob:~' | chpasswd
printf '%s\\n' '~' | sudo -S ls
chpasswd <<< 'bob:~'
sudo -S <<< ~
net user bob ~ /add
net use z: \\\\host\\share ~ /user:bob
dscl . -passwd /Users/bob ~
smbclient //host/share -U bob%~
ldapsearch -x -D cn=a -w ~ -b dc
redis-cli -h host --pass ~
PGPASSWORD=~ psql -h host
expect "password:"; send "~\\r"
openssl rsa -passin pass:~ -in key
ssh-keygen -t ed25519 -N '~' -f key
ansible-playbook x.yml --extra-vars "db_password=~"
kubectl create secret generic db --from-literal=k=~
aws configure set aws_secret_access_key ~
vault kv put secret/db k=~
vault login ~
cargo login ~
npm config set //host/:_authToken ~
poetry config http-basic.host bob ~
twine upload -u bob -p ~
helm registry login -u bob -p ~ host
az keyvault secret set --vault-name v --name n --value ~
security unlock-keychain -p ~ x
snmpwalk -v2c -c ~ host
ipmitool -H host -U a -P ~ power
sonar-scanner -Dsonar.login=~
setx API_TOKEN "~"
ConvertTo-SecureString -String '~' -AsPlainText -Force
SET PASSWORD FOR bob = '~'
db.auth('bob', '~')
enable secret ~
username bob privilege 15 password 0 ~
snmp-server community ~ RO
tacacs-server key ~
crypto isakmp key ~ address 192.0.2.1
`
  .trim()
  .split('\n');

const harmless = `
useradd -m -s /bin/bash bob
docker run -p 8080:80 image
mkdir -p src/passwords
ssh-keygen -t ed25519 -f key
gh secret set NAME < file
gh secret list --repo owner/name
vault login -method=oidc
cargo login
net user bob /active:yes
kubectl create secret generic db --from-literal=k=$VALUE
openssl req -new -key server.key -out server.csr
http -a <user>:<password> host
unzip -p archive.zip file
the vault login page
npm config set registry https://host/
echo "$PASSWORD" | docker login --password-stdin
snmp-server community public RO
`
  .trim()
  .split('\n');

describe('a command with a password', () => {
  for (const command of commands) {
    it(`hides all of it: ${command}`, () => {
      for (const value of values) {
        const line = command.replace('~', () => value);
        const { text } = redactor.redact(`$ ${line}\n`);
        expect(text, value).not.to.include(value.slice(0, 4)).and.not.to.include(value.slice(-4));
        expect(text.endsWith(command.slice(command.indexOf('~') + 1).concat('\n')), text).to.equal(true);
      }
    });
  }

  it('stays unchanged without a password', () => {
    for (const line of harmless) expect(redactor.redact(`$ ${line}\n`).findings, line).to.deep.equal([]);
  });
});
