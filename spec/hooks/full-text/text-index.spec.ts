import { expect } from 'chai';
import { createTextIndex } from '../../../lib/hooks/full-text/text-index.ts';

const texts = [
  { id: 1, about: 'ports.md', text: 'The server listens on port 8080.' },
  { id: 2, about: 'hooks.md', text: 'Hooks run in the order of their priority.' },
  { id: 3, about: 'zh.md', text: '钩子按优先级顺序运行' },
];

function index() {
  const made = createTextIndex('spec');
  for (const text of texts) made.add(text);
  return made;
}
const found = (question: string, made = index()) => made.search(question, 9).map(({ id }) => id);

describe('createTextIndex', () => {
  it('finds texts by their words, the best match first', () => {
    expect(found('Which port does the server use?')[0]).to.equal(1);
    expect(found('hook priorities')[0]).to.equal(2);
    expect(found('优先级')).to.deep.equal([3]);
    expect(found('nothing about cats')).to.deep.equal([]);
    expect(found('')).to.deep.equal([]);
  });

  it('finds an unknown word by prefix or despite a typing error, unless it is short', () => {
    expect(found('prio')).to.deep.equal([2]);
    expect(found('prioritu')).to.deep.equal([2]);
    expect(found('por')).to.deep.equal([]);
    expect(found('what is the prio')).to.include(2);
  });

  it('finds no removed text', () => {
    const made = index();
    made.remove(texts[0]!);
    expect(found('server port', made)).to.deep.equal([]);
  });

  it('returns the requested number of texts, from the allowed ones', () => {
    expect(index().search('the', 1)).to.have.length(1);
    expect(index().search('the', 9, (id) => id === 2)).to.have.length(1);
  });

  it('is the same after it was saved and loaded', () => {
    const again = createTextIndex('spec', JSON.parse(JSON.stringify(index().save())));
    for (const question of ['server port', 'hook priority', '顺序'])
      expect(again.search(question, 9)).to.deep.equal(index().search(question, 9));
  });

  it('throws for data that is not an index', () => expect(() => createTextIndex('spec', { index: [] })).to.throw());

  it('searches with the start and end of a long query', () => {
    expect(found(`priority ${'x '.repeat(5_000)} port`).sort()).to.deep.equal([1, 2]);
    expect(found(`${'x '.repeat(5_000)} port ${'x '.repeat(5_000)}`)).to.deep.equal([]);
  });
});
