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
  it('finds texts by their words, the best first', () => {
    expect(found('Which port does the server use?')[0]).to.equal(1);
    expect(found('hook priorities')[0]).to.equal(2);
    expect(found('优先级')).to.deep.equal([3]);
    expect(found('nothing about cats')).to.deep.equal([]);
    expect(found('')).to.deep.equal([]);
  });

  it('finds a word that no text has by its beginning or in spite of a typing error, but not a short one', () => {
    expect(found('prio')).to.deep.equal([2]);
    expect(found('prioritu')).to.deep.equal([2]);
    expect(found('por')).to.deep.equal([]);
    expect(found('what is the prio')).to.include(2);
  });

  it('finds no text that was taken out', () => {
    const made = index();
    made.remove(texts[0]!);
    expect(found('server port', made)).to.deep.equal([]);
  });

  it('gives as many as are wanted, of those that are', () => {
    expect(index().search('the', 1)).to.have.length(1);
    expect(index().search('the', 9, (id) => id === 2)).to.have.length(1);
  });

  it('is the same when it was saved and read again', () => {
    const again = createTextIndex('spec', JSON.parse(JSON.stringify(index().save())));
    for (const question of ['server port', 'hook priority', '顺序'])
      expect(again.search(question, 9)).to.deep.equal(index().search(question, 9));
  });

  it('throws of what is no index', () => expect(() => createTextIndex('spec', { index: [] })).to.throw());

  it('looks at the beginning and the end of a long question', () => {
    expect(found(`priority ${'x '.repeat(5_000)} port`).sort()).to.deep.equal([1, 2]);
    expect(found(`${'x '.repeat(5_000)} port ${'x '.repeat(5_000)}`)).to.deep.equal([]);
  });
});
