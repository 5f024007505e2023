import type { Msg } from '@nats-io/transport-node';
import { expect } from 'chai';
import type { OpenConnection } from '../../lib/nats/connection/connection.ts';
import { loadNats } from '../../lib/nats/connection/load-nats.ts';
import { cutMessage, messageJoiner } from '../../lib/nats/message-pieces.ts';
import { createSeal } from '../../lib/nats/seal.ts';

describe('the pieces of a message', () => {
  const seal = createSeal('a secret of the fleet that is long enough', 'hookline');
  const place = 'hookline.v1.hookline.ask.a';
  /** Room for ten bytes a piece. */
  const open = { client: loadNats(), nats: { info: { max_payload: 8_192 + 10 } } } as unknown as OpenConnection;
  const cut = (text: string, id: string) =>
    cutMessage({ text }, { place, id }, { seal, open }) as unknown as readonly Msg[];

  function joining(at = place) {
    const found: unknown[] = [];
    return { found, join: messageJoiner(at, seal, ({ text }, id) => found.push([id, text])) };
  }

  it('are joined, also between those of others', () => {
    const { found, join } = joining();
    const [a, b] = [cut('the first message', 'a'), cut('the second message', 'b')];
    expect([a.length, b.length]).to.deep.equal([3, 3]);
    for (const piece of [a[0], b[0], b[1], a[1], b[2], a[2]]) join(piece!);
    expect(found).to.deep.equal([
      ['b', 'the second message'],
      ['a', 'the first message'],
    ]);
  });

  it('are dropped if an earlier one was lost', () => {
    const { found, join } = joining();
    for (const lost of [0, 1])
      for (const piece of cut('the first message', 'a').filter((_, nth) => nth !== lost)) join(piece);
    for (const piece of cut('the second message', 'b')) join(piece);
    expect(found).to.deep.equal([['b', 'the second message']]);
  });

  it('are refused at another place, in another order, and without the rest', () => {
    const [first, second] = cut('the first message', 'a') as [Msg, Msg];
    expect(() => joining(`${place}b`).join(first)).to.throw(/was not written with the secret of this fleet/);
    expect(() => joining().join({ ...second, headers: first.headers } as Msg)).to.throw(/was not written/);
    const alone = cut('x', 'b')[0]!;
    const as = (headers: Msg['headers']) => () => joining().join({ ...first, headers } as Msg);
    expect(as(alone.headers!)).to.throw(/was not written/);
    expect(as(undefined as never)).to.throw(/was not written/);
  });
});
