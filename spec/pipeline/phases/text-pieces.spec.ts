import { expect } from 'chai';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { TextPieces } from '../../../lib/pipeline/phases/reply.ts';
import { hear, modelOf, request, start } from '../scene.ts';

describe('the pieces of a text', () => {
  for (const count of [0, 1, 15, 16, 17, 32, 33, 100]) {
    it(`join ${count} in order, for any number of reads`, () => {
      const pieces = new TextPieces();
      const added = Array.from({ length: count }, (_, nth) => `${nth},`);
      for (const [nth, piece] of added.entries()) {
        expect(pieces.text()).to.equal(added.slice(0, nth).join(''));
        pieces.add(piece);
      }
      expect(pieces.text()).to.equal(added.join(''));
    });
  }

  it('form the message of a reply of many chunks', () => {
    const chunks = Array.from({ length: 40 }, (_, nth) => `${nth} `);
    const heard = hear(start([]).reason(request, modelOf(...chunks)));
    expect(textOf(heard.of('postReasoning')[0]?.message)).to.equal(chunks.join(''));
  });
});
