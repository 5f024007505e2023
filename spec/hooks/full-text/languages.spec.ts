import { expect } from 'chai';
import { createTextIndex } from '../../../lib/hooks/full-text/text-index.ts';
import { createFindMemories } from '../../../lib/hooks/long-term-memory/recall-memories.ts';
import { createFolderIndex } from '../../../lib/hooks/rag/folder-index.ts';
import { languagePairs, nearTexts } from './language-pairs.ts';

const pairs = Object.values(languagePairs).flat();
const texts = [...pairs.map(([, passage]) => passage), ...nearTexts];

/** Each search: the texts found for a question, best match first. */
const searches: Readonly<Record<string, () => (question: string) => readonly string[]>> = {
  'an index of texts'() {
    const index = createTextIndex('spec');
    for (const [id, text] of texts.entries()) index.add({ id, text, about: '' });
    return (question) => index.search(question, 3).map(({ id }) => texts[id] as string);
  },
  'the folder of rag'() {
    const index = createFolderIndex('spec');
    for (const [id, text] of texts.entries()) index.put(`${id}.txt`, { mtimeMs: 0, ctimeMs: 0, size: 0 }, text);
    return (question) => index.search(question, 3, () => true).map(({ text }) => text);
  },
  'memories of a user'() {
    const memories = texts.map((text, id) => ({
      id: String(id),
      text: `User: ${text}\nAssistant: OK.`,
      at: 0,
      sessionId: 's',
    }));
    const find = createFindMemories('spec');
    const found = (question: string) => find('ann', { version: 1, memories }, question, 3, () => true);
    return (question) => found(question).map(({ id }) => texts[Number(id)] as string);
  },
};

describe('the search for a passage, top three', () => {
  it('in eight languages with twelve questions each', () => {
    expect(Object.values(languagePairs).map((some) => some.length)).to.deep.equal(Array(8).fill(12));
    expect(new Set(texts).size).to.equal(8 * 12 + 48);
  });

  for (const [where, make] of Object.entries(searches))
    for (const [language, questions] of Object.entries(languagePairs))
      it(`finds at least ten in ${language}, in ${where}`, () => {
        const search = make();
        const missed = questions.filter(([question, passage]) => !search(question).includes(passage));
        expect(missed, missed.map(([question]) => question).join(' ')).to.have.length.at.most(2);
      });
});
