import { expect } from 'chai';
import { type Message, userMessage } from '../../lib/index.ts';
import { keepPrefix } from '../../lib/loops/keep-prefix.ts';

const [a, b, c, other] = ['my secret', 'and b', 'more secret', 'a summary'].map((text) => userMessage(text)) as [
  Message,
  Message,
  Message,
  Message,
];
const clean = (message: Message): Message => JSON.parse(JSON.stringify(message).replaceAll('secret', '***'));
const copy = (message: Message): Message => JSON.parse(JSON.stringify(message));
const began = [a, b, c];
const redacted = [clean(a), b, clean(c)];

/** Returns the request of a step for messages of its host, and the number of warnings. */
function stepped(settled: readonly Message[], ...steps: readonly (readonly Message[])[]) {
  let warnings = 0;
  const warn = (): void => {
    warnings += 1;
  };
  const keep = keepPrefix({ began, settled }, { warn } as never);
  return { asked: steps.map((messages) => keep(messages.map(copy))), warnings: () => warnings };
}

describe('a change of preCall', () => {
  it('applies to a step with the same messages, also after prepended ones', () => {
    const { asked, warnings } = stepped(
      redacted,
      [...began, other],
      [other, ...began],
      [other, other, ...began, other],
    );
    expect(asked).to.deep.equal([
      [...redacted, other],
      [other, ...redacted],
      [other, other, ...redacted, other],
    ]);
    expect(warnings()).to.equal(0);
  });

  it('applies to each message that is still in the step, at any place', () => {
    const { asked, warnings } = stepped(redacted, [a, other, c], [c, a]);
    expect(asked).to.deep.equal([
      [clean(a), other, clean(c)],
      [clean(c), clean(a)],
    ]);
    expect(warnings()).to.equal(0);
    expect(JSON.stringify(asked)).not.to.contain('secret');
  });

  it('removes again what it has removed', () => {
    expect(stepped([clean(a), b], [other, a, b, c], [b, other, c]).asked).to.deep.equal([
      [other, clean(a), b],
      [b, other],
    ]);
  });

  it('is missing once, with a warning, if the step lacks a changed or added message', () => {
    const lacks = stepped(redacted, [other, b], [other, b]);
    expect([lacks.asked, lacks.warnings()]).to.deep.equal([
      [
        [other, b],
        [other, b],
      ],
      1,
    ]);
    const added = stepped([other, ...began], [b, a], [...began, b]);
    expect(added.asked).to.deep.equal([
      [b, a],
      [other, ...began, b],
    ]);
    expect(added.warnings()).to.equal(1);
  });
});
