import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const modules = join(__dirname, '../../../node_modules');
const values = ['Summer2024Rain', 'Welcome1Home', 'Tr0ub4dor&3', 'correct-horse-battery-staple', 'letmein'];
const chosen = values.slice(0, 3);
const ways: readonly [way: string, of: readonly string[]][] = [
  ['password: @\n', values],
  ['password = "@"\n', values],
  ['**Password:** @\n', values],
  ['Password:\n@\n', values],
  ['| password | @ |\n', values],
  ['pw: @\n', values],
  ['{"pw":"@"}', values],
  ['pswd = "@"', values],
  ['{\n  "name": "DB_PASSWORD",\n  "value": "@"\n}', values],
  ['{\r\n\t"key": "password",\r\n\t"value": "@"\r\n}', values],
  ["password '@' works", chosen],
  ['the password is @\n', values],
  ["define('DB_PASSWORD', '@');", values],
  ['setPassword("@")', chosen],
  ['sshpass -p @ ssh host\n', ['Summer2024Rain']],
  ['mysql -u root -p@ db\n', ['Summer2024Rain']],
  ['docker login -u me -p @ host\n', ['Summer2024Rain']],
  ['htpasswd -b file me @\n', ['Summer2024Rain']],
  ['dsn := "me:@@tcp(127.0.0.1:3306)/db"', ['Summer2024Rain']],
];

describe('a password as people and programs write it', () => {
  for (const [way, of] of ways) {
    it(`is redacted completely: ${JSON.stringify(way)}`, () => {
      for (const value of of)
        expect(redactor.redact(way.replace('@', () => value)).text, value).not.to.include(value.slice(-3));
    });
  }

  it('occurs in at most every other megabyte of published libraries', () => {
    const folders = { 'typescript/lib': /\.d\.ts$/, 'rxjs/src': /\.ts$/, 'hono/dist': /\.(?:js|ts)$/ };
    let alarms = 0;
    let length = 0;
    for (const [folder, names] of Object.entries(folders)) {
      for (const file of readdirSync(join(modules, folder), { recursive: true, encoding: 'utf8' })) {
        if (!names.test(file)) continue;
        const text = readFileSync(join(modules, folder, file), 'utf8');
        length += text.length;
        alarms += redactor.redact(text).findings.filter(({ rule }) => rule !== 'email').length;
      }
    }
    expect(length).to.be.greaterThan(1e6);
    expect(alarms).to.be.at.most((0.5 * length) / 1e6);
  });
});
