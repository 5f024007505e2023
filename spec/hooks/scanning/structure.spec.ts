import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../lib/events/values/json-value.ts';
import { createAuditText } from '../../../lib/hooks/audit-log/audit-text.ts';
import { scanJson } from '../../../lib/hooks/scanning/scan-json.ts';
import { createScanMemory } from '../../../lib/hooks/scanning/scan-memory.ts';
import { byConfidence } from '../../../lib/hooks/scanning/scan-policies.ts';
import { createWholeScanner } from '../../../lib/hooks/scanning/whole-scanner.ts';
import { jsonTextStream } from '../../../lib/hooks/text/json-text-stream.ts';
import { usualRedactor } from '../../../lib/hooks/usual-redactor.ts';
import { createRedactor } from '../../../lib/redaction/create-redactor.ts';
import { rulesNamed } from '../../../lib/redaction/rules/rules-named.ts';

const V = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const W = 'Tr4bz!8qLm'.concat('0Zv');
const TOKEN = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
const redactor = usualRedactor();
const surfaces = ['prompt', 'context', 'text', 'thinking', 'toolInput', 'toolResult', 'toolProgress'] as const;
const mapped = Object.fromEntries(surfaces.map((one) => [one, byConfidence('redact')])) as Record<
  (typeof surfaces)[number],
  ReturnType<typeof byConfidence>
>;
const terms = { things: 'secrets', codes: { report: 'r', redact: 'd', block: 'b' } };
const memory = () => createScanMemory(terms)({ runId: 'r', sessionId: 's', agent: 'a', depth: 0 });
const shapes: Readonly<Record<string, JsonObject>> = {
  'the arguments of a program': { cmd: 'mysql', args: ['-u', 'root', '--password', V] },
  'a command as a list': { argv: ['sshpass', '-p', V, 'ssh', 'host'] },
  'a program and its options apart': { program: 'docker', arguments: ['login', '-u', 'bob', '-p', V] },
  'a name and a value': { name: 'DB_PASSWORD', value: V },
  'a value and a name': { value: V, name: 'DB_PASSWORD' },
  'a key and a value': { key: 'password', value: V },
  'a header by name': { name: 'X-Api-Key', value: V },
  'a list of variables': {
    env: [
      { name: 'PORT', value: '80' },
      { name: 'API_TOKEN', value: V },
    ],
  },
  'a form field with a value': { element: 'Password', text: V },
  'headers as pairs': {
    headers: [
      ['Accept', 'x'],
      ['Authorization', `Basic ${V}`],
    ],
  },
  'headers in one list': { rawHeaders: ['Accept', 'x', 'X-Api-Key', V] },
  'a field of a selector': { selector: 'input[name=password]', value: V },
  'a field of a quoted selector': { selector: 'form.login input[type="password"]', text: V },
  'a field of a locator': { selector: "page.getByLabel('Password')", value: V },
  'a value within a name': { password: { value: V } },
  'a value deep within a name': { password: { default: { value: V } } },
  'a list under a name': { password: [V] },
  'a list under a plural name': { passwords: [V, W] },
  'names under a plural name': { passwords: { alice: V, bob: W } },
  'columns and rows': {
    columns: ['user', 'db_password'],
    rows: [
      ['ann', V],
      ['bob', W],
    ],
  },
  'described columns and rows': { fields: [{ name: 'id' }, { name: 'api_key' }], rows: [[1, V]] },
  'a sheet with its names in the first row': {
    values: [
      ['user', 'API key', 'since'],
      ['ann', V, '2024'],
    ],
  },
  'a list deep within a name': { password: { a: { b: [V] } } },
  'fields of any name within a name': { credentials: { smtp: { main: V }, other: W } },
  'a question and its answer': { question: 'password?', answer: V },
  'a whole question and its answer': { answers: [{ prompt: 'What is your password?', response: V }] },
  'a field with a type': { type: 'password', value: V },
  'a token in two items': { parts: [TOKEN.slice(0, 17), TOKEN.slice(17)] },
};
const harmless: readonly JsonObject[] = [
  { cmd: 'git', args: ['log', '--format', '%H', '-n', '5'] },
  { fields: ['name', 'password', 'email'] },
  { name: 'password', type: 'string', description: 'The password of the user' },
  { columns: ['token', 'createdAt', 'userId2'] },
  { name: 'theme', value: V },
  { passwords: { minLength: 'twelve', hint: 'Use a sentence', reset: 'sent' } },
  { secrets: { db: 'projects/x/secrets/db', theme: '#1a2b3c' } },
  { tokens: { input: 1200, output: 300, model: 'gpt-4o-2024-08-06' } },
  {
    columns: ['user', 'password'],
    rows: [
      ['ann', 'required'],
      ['bob', 'string'],
    ],
  },
  {
    values: [
      ['name', 'token', 'count'],
      ['a', 'string', 4],
    ],
  },
  { password: { type: 'string', pattern: '^(?=.*[A-Z])[a-z0-9]{8,}$', description: 'At least 8 characters' } },
  { token: { model: 'gpt-4o-2024-08-06', created: '2024-01-01T12:00:00Z', source: { file: 'lib/Token2.ts' } } },
  { secrets: { store: { theme: 'dark-mode2', labels: ['sunflower88', 'Hello World 2'] } } },
  { question: 'Where do I change my password?', answer: 'In the settings, under Account2.' },
  { type: 'password', value: 'required' },
  { type: 'token', value: 'identifier2' },
  { selector: 'input[name=password]', text: 'Forgot your password?' },
  { selector: 'a[href="/reset-password"]', text: 'Reset' },
  { messages: ['Please enter', 'your password', 'and wait 5 minutes'] },
];

/** Command lines that are blocked as text. The sign marks the password. */
const lines = [
  'mysql -u root --password ~ db',
  'curl -u bob:~ https://host/',
  'docker login -u bob -p ~ host',
  'redis-cli -h host -a ~ ping',
  'curl -H X-Api-Key:~ https://host',
  'psql postgres://bob:~@host/db',
  'env DB_PASSWORD=~ npm start',
  'aws configure set aws_secret_access_key ~',
];

describe('secrets in structured values', () => {
  for (const [what, value] of Object.entries(shapes)) {
    it(`are redacted: ${what}`, () => {
      const { value: clean, findings } = scanJson(redactor, value);
      const shown = JSON.stringify(clean);
      for (const secret of [V, W, TOKEN.slice(4, 17), TOKEN.slice(17)]) expect(shown).not.to.include(secret);
      expect(findings).not.to.be.empty;
      const left = scanJson(redactor, value, { leave: ['format', 'assigned', 'guessed'] });
      expect(left.value).to.equal(value);
      expect(left.findings).to.have.length(findings.length);
    });
  }

  it('are redacted in streamed arguments with keys first, split anywhere', () => {
    const late = [
      'a value and a name',
      'a token in two items',
      ...Object.keys(shapes).filter((what) => /under several|row/.test(what)),
    ];
    for (const [what, value] of Object.entries(shapes)) {
      if (late.includes(what)) continue;
      const text = JSON.stringify(value);
      const outs = new Set<string>();
      for (let cut = 0; cut <= text.length; cut += 3) {
        const stream = jsonTextStream(redactor);
        outs.add(stream.write(text.slice(0, cut)) + stream.write(text.slice(cut)) + stream.end());
      }
      expect([...outs], what).to.have.length(1);
      for (const secret of [V, W]) expect([...outs][0], what).not.to.include(secret);
    }
  });

  it('are redacted in a JSON result, which stays valid JSON', async () => {
    const whole = createWholeScanner(redactor, mapped, terms);
    for (const [what, value] of Object.entries(shapes)) {
      const { clean } = whole.result({ content: JSON.stringify(value, null, 2), isError: false }, memory());
      for (const secret of [V, W, TOKEN.slice(4, 17)]) expect(clean.content, what).not.to.include(secret);
      expect(Object.keys(JSON.parse(clean.content))).to.deep.equal(Object.keys(value));
    }
  });

  it('are replaced once, if a result repeats the text', () => {
    const formatted = createRedactor(rulesNamed(), { mode: 'format', key: 'a key of this spec' });
    const whole = createWholeScanner(formatted, mapped, terms);
    const run = memory();
    const parts = [{ type: 'text', text: `DB_PASSWORD=${V}\n` }] as const;
    const { clean, hits } = whole.message({ role: 'assistant', parts: [...parts] }, run);
    const content = (clean.parts[0] as { text: string }).text;
    expect([content.includes(V), hits.length]).to.deep.equal([false, 1]);
    expect(whole.result({ content, isError: false }, run)).to.deep.equal({
      clean: { content, isError: false },
      hits: [],
    });
  });

  it('are kept out of an audit log', () => {
    for (const [what, value] of Object.entries(shapes)) {
      // A run of its own: it would know the values of the shapes before.
      const text = createAuditText(redactor, { runId: what, sessionId: 's', agent: 'a', depth: 0 });
      for (const secret of [V, W]) expect(JSON.stringify(text.bounded(value)), what).not.to.include(secret);
    }
  });

  it('are not found in harmless values', () => {
    for (const value of harmless)
      expect(scanJson(redactor, value), JSON.stringify(value)).to.deep.equal({ value, findings: [] });
    for (const value of harmless) {
      const stream = jsonTextStream(redactor);
      expect(stream.write(JSON.stringify(value)) + stream.end()).to.equal(JSON.stringify(value));
      expect(stream.findings, JSON.stringify(value)).to.deep.equal([]);
    }
  });

  it('match those in text: a command line with findings has them in any structure', () => {
    const found = { lines: new Set<string>(), places: new Set<string>() };
    const around: Readonly<Record<string, (program: string, args: readonly string[]) => JsonValue>> = {
      list: (program, args) => [program, ...args],
      members: (program, args) => ({ command: program, args }),
      late: (program, args) => ({ args, cwd: '/x', cmd: program }),
      deep: (program, args) => ({ steps: [{ run: { program, args } }] }),
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...lines),
        fc.constantFrom(...Object.keys(around)),
        fc.constantFrom(V, W.replace('!', '9')),
        fc.array(fc.constantFrom('-v', '--quiet', 'x'), { maxLength: 3 }),
        (text, place, secret, more) => {
          const words = [...text.replace('~', secret).split(' '), ...more];
          if (redactor.redact(words.join(' ')).findings.length === 0) return;
          found.lines.add(text);
          found.places.add(place);
          const [program, ...args] = words as [string, ...string[]];
          const value = around[place]!(program, args) as JsonObject;
          expect(JSON.stringify(scanJson(redactor, value).value)).not.to.include(secret);
        },
      ),
      { numRuns: 400 },
    );
    expect([...found.lines].sort()).to.deep.equal([...lines].sort());
    expect(found.places).to.have.keys(Object.keys(around));
  });
});
