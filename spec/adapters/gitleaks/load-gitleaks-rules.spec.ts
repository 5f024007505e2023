import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadGitleaksRules } from 'hookline/gitleaks';
import { HooklineError } from '../../../lib/errors.ts';
import { createRedactor } from '../../../lib/redaction/create-redactor.ts';
import { tempFolder } from '../../temp-folder.ts';

const fixture = join(__dirname, '../../fixtures/gitleaks/own.toml');
const reference = process.env.HOOKLINE_GITLEAKS_TOML ?? join(__dirname, '../../../../shared/data/gitleaks.toml');

describe('loadGitleaksRules', () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('gitleaks');
  });

  const write = (text: string, name = 'rules.toml'): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const errorOf = (file: string): HooklineError => {
    try {
      loadGitleaksRules(file);
    } catch (thrown) {
      expect(thrown).to.be.instanceOf(HooklineError);
      return thrown as HooklineError;
    }
    throw new Error('It was loaded.');
  };
  const shown = (text: string, file = fixture) => {
    const { rules, inFiles } = loadGitleaksRules(file);
    return createRedactor([...rules, ...inFiles.map(({ rule }) => rule)]).redact(text).text;
  };

  describe('a rule file', () => {
    const token = 'acme_'.concat('k3j9x2m8q5w7z1v4');

    it('contains rules that redact', () => {
      expect(loadGitleaksRules(fixture).rules.map(({ id }) => id)).to.deep.equal(['base-key', 'acme-token']);
      const { inFiles } = loadGitleaksRules(fixture);
      expect(inFiles.map(({ rule, holdsIn }) => [rule.id, holdsIn('a/b.ini'), holdsIn('a/b.txt')])).to.deep.equal([
        ['acme-login', true, false],
      ]);
      expect(shown(`a ${token} b`)).to.equal('a [REDACTED:acme-token] b');
    });

    it('may set the entropy and the group with the secret', () => {
      expect(shown('acme_aaaaaaaaaaaaaaaaaaaa')).not.to.include('REDACTED');
      expect(shown('login=ada:k3j9x2m8q5w7')).to.equal('login=ada:[REDACTED:acme-login]');
    });

    it('may have allowlists: per rule, per file, of another file, and for named rules', () => {
      const spared = [`acme_test_${token.slice(5)}`, `${token}_sandbox`, `${token}_onlyacme`, `${token}_fromthebase`];
      for (const text of spared) expect(shown(text), text).to.equal(text);
      expect(shown('base-key-onlyacmek3j9x2m8')).to.equal('base-key-[REDACTED:base-key]');
      expect(shown(`RUN --mount=type=secret,id=${token}`)).not.to.include('REDACTED');
    });

    it('with the condition AND requires both, with one matching regex', () => {
      expect(shown(`${token}_0000`)).to.include('REDACTED');
      expect(shown(`${token}_fake`)).to.include('REDACTED');
      expect(shown(`${token}_0000_fake`)).not.to.include('REDACTED');
      expect(shown(`${token}_1111_fake`)).not.to.include('REDACTED');
    });

    it('extends another file, with changed and without disabled rules', () => {
      const { rules } = loadGitleaksRules(fixture);
      const base = rules.find(({ id }) => id === 'base-key');
      expect(base).to.deep.include({ description: 'base key', entropy: 3, keywords: ['base-key', 'second'] });
      expect(shown('base-key-zk3j9x2m8q5w7h1v')).not.to.include('REDACTED');
      expect(rules.map(({ id }) => id)).not.to.include('acme-old-token');
    });

    it('lists rules that cannot run on a stream, each with the reason and an alternative', () => {
      const { refused } = loadGitleaksRules(fixture);
      expect(refused.map(({ id }) => id)).to.have.members(['acme-file', 'acme-gap', 'acme-ahead']);
      for (const { reason, fix } of refused) expect(reason).and.to.be.a('string').and.not.equal(fix);
      expect(refused.find(({ id }) => id === 'acme-file')?.reason).to.include('file names');
    });

    it('gives notices of settings without effect', () => {
      const notices = loadGitleaksRules(fixture).notices.join('\n');
      expect(notices).to.match(/own\.toml: allowlist \d of the file: paths have no effect/);
      expect(notices).to.include('commits have no effect');
      expect(notices).to.include("rule 'acme-token': allowlist 2: it also requires a path or a commit");
      expect(notices).to.include("'line' matches the line only up to the end of the match");
      expect(notices).to.include("rule 'acme ahead': its markers and findings use the label 'acme-ahead'");
    });
  });

  it('names the source of rules from extended files that are not loaded', () => {
    const file = write(`
      [extend]
      useDefault = true
      url = "https://host/rules.toml"
      [[rules]]
      id = "generic-api-key"
      entropy = 4`);
    const { rules, notices, refused } = loadGitleaksRules(file);
    expect(rules).to.deep.equal([]);
    expect(notices.join()).to.include('extend.useDefault').and.to.include('extend.url');
    expect(refused.map(({ id }) => id)).to.deep.equal(['generic-api-key']);
  });

  it('reports a misspelled name with a suggestion', () => {
    const file = write(
      `[[rules]]\nid = "a"\nregex = "abc[0-9]{8}"\nkeyword = ["abc"]\n[[rules.allowlists]]\nstopword = ["x"]`,
    );
    const notices = loadGitleaksRules(file).notices.join('\n');
    expect(notices).to.include("rule 'a': 'keyword' is unknown and has no effect. Did you mean 'keywords'?");
    expect(notices).to.include(
      "rule 'a': allowlist: 'stopword' is unknown and has no effect. Did you mean 'stopwords'?",
    );
  });

  describe('an invalid file', () => {
    it('is reported in one error with file, rule, issue and fix, for all issues at once', () => {
      const file = write(`
        [[rules]]
        id = "first"
        regex = "abc[0-9]{8}"
        entropy = "high"
        keywords = "abc"
        [[rules]]
        regex = "def[0-9]{8}"
        [[rules.allowlists]]
        condition = "XOR"`);
      const { code, message } = errorOf(file);
      expect(code).to.equal('INPUT_INVALID');
      expect(message).to.include(`${file} has invalid rules`);
      expect(message).to.include("rule 'first': entropy must be a number of bits per character, such as 3.5");
      expect(message).to.include("rule 'first': keywords must be a list of strings");
      expect(message).to.include('rule 2 (without an ID): id must be a string');
      expect(message).to.include('rule 2 (without an ID): allowlists.0.condition must be "AND" or "OR"');
    });

    it('is reported for its regexes, groups and ids too', () => {
      const file = write(`
        [[rules]]
        id = "open"
        regex = "abc([0-9]{8}"
        [[rules]]
        id = "group"
        regex = "abc([0-9]{8})"
        secretGroup = 2
        [[rules]]
        id = "none"
        [[rules]]
        id = "allows"
        regex = "abc[0-9]{8}"
        [[rules.allowlists]]
        regexes = ["[a"]`);
      const { message } = errorOf(file);
      expect(message).to.include(
        "rule 'open': regex: its pattern cannot be read: an open group at 12; correct the pattern.",
      );
      expect(message).to.include("rule 'group': secretGroup is 2, but the regex has 1");
      expect(message).to.include("rule 'none': it has no regex");
      expect(message).to.include("rule 'allows': allowlist 1: regexes: '[a'");
      expect(errorOf(write(`[[rules]]\nid="a"\nregex="abc1"\n[[rules]]\nid="a"\nregex="abc2"`)).message).to.include(
        "rule 'a': another rule has the same ID",
      );
    });

    it('is reported with line and column if it is not TOML', () => {
      const file = write('title = "x"\n[[rules]]\nid = = "a"\n');
      const { code, message } = errorOf(file);
      expect(code).to.equal('INPUT_INVALID');
      expect(message).to.match(/rules\.toml:3:\d+ is not TOML: .+ Correct the line/);
    });

    it('is reported if it is missing, extends a missing file, or extends itself', () => {
      const gone = join(folder, 'gone.toml');
      expect(errorOf(gone).message).to.equal(`${gone} does not exist. Pass a file of gitleaks rules.`);
      expect(errorOf(folder).message).to.include('cannot be read');
      expect(errorOf(write('[extend]\npath = "gone.toml"')).message).to.include(`${gone} does not exist`);
      write('[extend]\npath = "a.toml"', 'b.toml');
      expect(errorOf(write('[extend]\npath = "b.toml"', 'a.toml')).message).to.include('the file extends itself');
    });
  });

  it("gitleaks' own file: at least 210 of its 222 rules run", function () {
    if (!existsSync(reference)) {
      console.log(`      gitleaks.toml is not there (${reference}); set HOOKLINE_GITLEAKS_TOML to run this`);
      this.skip();
    }
    const { rules, inFiles, refused, notices } = loadGitleaksRules(reference);
    console.log(
      `      ${rules.length} rules loaded, ${inFiles.length} of some files, ${refused.length} refused, ${notices.length} notices`,
    );
    for (const { id, reason } of refused) console.log(`        ${id}: ${reason}`);
    expect(rules.length).to.be.at.least(210);
    expect(rules.length + inFiles.length + refused.length).to.equal(222);
    for (const { reason, fix } of refused) expect(reason && fix).to.be.a('string').and.not.empty;
    const token = 'ghp_'.concat('k3j9x2m8q5w7z1v4b6n0c8d2f4g6h1J3K5L7');
    expect(createRedactor(rules).redact(`token ${token}.`).text).to.equal('token [REDACTED:github-pat].');
  });
});
