import { expect } from 'chai';
import fc from 'fast-check';
import { parseSkill } from '../../../lib/hooks/skills/parse-skill.ts';

describe('parseSkill', () => {
  it('reads name, description and body, and ignores other fields', () => {
    const text = '---\nname: pdf-forms\ndescription: Fills forms.\nlicense: MIT\n---\n\n# How\n\n---\nDo it.\n';
    const read = { name: 'pdf-forms', description: 'Fills forms.', body: '# How\n\n---\nDo it.' };
    expect(parseSkill(text)).to.deep.equal(read);
    expect(parseSkill(text.replaceAll('\n', '\r\n'))).to.deep.include({
      name: 'pdf-forms',
      description: 'Fills forms.',
    });
    expect(parseSkill('---\nname: a\ndescription: |\n  one\n  two\n---')).to.deep.equal({
      name: 'a',
      description: 'one\ntwo',
      body: '',
    });
  });

  it('reports all validation issues in the front matter', () => {
    const long = 'x'.repeat(1_100);
    for (const [text, issue] of [
      ['# How', 'has no front matter: it must start with a line of ---'],
      ['', 'has no front matter: it must start with a line of ---'],
      ['---\nname: a\n', 'has front matter that does not end, or is longer than 10000 characters'],
      [`---\n# ${long.repeat(10)}\n---\n`, 'has front matter that does not end, or is longer than 10000 characters'],
      ['---\n---\n', 'has front matter whose name is missing, and whose description is missing'],
      ['---\njust text\n---\n', 'expected object'],
      ['---\nname: [a\n---\n', 'has front matter that is not YAML: '],
      ['---\nname: a\ndescription: ""\n---\n', 'has front matter whose description is empty'],
      ['---\nname: 7\ndescription: x\n---\n', 'has front matter whose name is missing'],
      [
        `---\nname: ${long.slice(0, 65)}\ndescription: ${long}\n---\n`,
        'name is longer than 64 characters, and whose description is longer than 1024 characters',
      ],
      ['---\nname: ../up\ndescription: x\n---\n', 'must contain only lower-case letters and digits'],
      ['---\nname: A b\ndescription: x\n---\n', 'must contain only lower-case letters and digits'],
    ] as const)
      expect(() => parseSkill(text), text.slice(0, 30)).to.throw(issue);
  });

  it('either returns a skill or throws a plain error', () => {
    const piece = fc.oneof(
      fc.constantFrom('---', '\n', 'name: a', 'description: b', ': ', '&a ', '*a', '- '),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          try {
            expect(parseSkill(text).name).to.match(/^[a-z0-9-]{1,64}$/);
          } catch (thrown) {
            if (!/^has /.test((thrown as Error).message)) throw thrown;
          }
        },
      ),
    );
  });
});
