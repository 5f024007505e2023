import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { hasCode } from '../../../lib/errors/has-code.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import type { ServerLink } from '../../../lib/server/index.ts';

/** The links of several servers. */
export interface Links {
  /** Returns the link of another server. */
  link(): ServerLink;
  /** Cuts all links and restores them. Messages of the meantime are lost. */
  interrupt(): Promise<void>;
}

/** The interruptions of a spec. */
export const INTERRUPTIONS = process.env['HOOKLINE_SOAK'] === undefined ? 3 : 20;

/** Waits for a value. */
export async function eventually<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 20_000; ; ) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`not within 20 s: ${find}`);
    await sleep(5);
  }
}

const rich: JsonObject = { text: 'a\nb\u2028 "é" \ud83d\ude00', list: [null, { '': 1.5 }, []] };
const words = ['a', 'a.b', '*', '>', 'A', ' ', 'é/~', '__proto__', 'x'.repeat(120)];

/** Checks the promises of `ServerLink`. */
export function serverLinkContract(links: () => Links): void {
  const unique = (name = 'name') => `${name} ${randomUUID()}`;
  const link = () => links().link();
  const echo = async (request: JsonObject) => ({ got: request });

  it('carries requests to the server of a name, and its replies back', async () => {
    const [a, b] = [link(), link()];
    const name = unique();
    await a.serve(name, echo);
    expect(await b.ask(name, rich)).to.deep.equal({ got: rich });
    expect(await a.ask(name, rich), 'its own request').to.deep.equal({ got: rich });
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const replies = await Promise.all(numbers.map((n) => b.ask(name, { n })));
    expect(replies).to.deep.equal(numbers.map((n) => ({ got: { n } })));
  });

  it('distinguishes names of any text', async () => {
    const [a, b] = [link(), link()];
    const names = words.map((word) => unique(word));
    for (const name of names) await a.serve(name, async () => ({ name }));
    for (const name of names) expect(await b.ask(name, {})).to.deep.equal({ name });
  });

  it('answers undefined at once if nobody serves the name, before and after', async () => {
    const [a, b] = [link(), link()];
    const name = unique();
    const began = performance.now();
    expect(await b.ask(name, {})).to.equal(undefined);
    const stop = await a.serve(name, echo);
    expect(await b.ask(name, {})).to.not.equal(undefined);
    stop();
    await eventually(async () => ((await b.ask(name, {})) === undefined ? true : undefined));
    expect(performance.now() - began).to.be.below(5_000);
    await b.serve(name, async () => ({ by: 'b' }));
    expect(await a.ask(name, {}), 'the next server of the name').to.deep.equal({ by: 'b' });
  });

  it('fails with STORE_FAILED if the answer fails, and answers the next request', async () => {
    const [a, b] = [link(), link()];
    const name = unique();
    await a.serve(name, async ({ fails }) => {
      if (fails) throw new Error('no');
      return {};
    });
    const thrown = await b.ask(name, { fails: true }).catch((error: unknown) => error);
    expect(hasCode(thrown, 'STORE_FAILED'), String(thrown)).to.equal(true);
    expect(await b.ask(name, {})).to.deep.equal({});
  });

  it('carries requests, replies and messages of several megabytes whole', async () => {
    const [a, b, c] = [link(), link(), link()];
    const [name, topic] = [unique(), unique('topic')];
    // The largest is several times the payload of NATS. A busy machine must carry them within the timeout.
    const textOf = (word: string) => `${word}é`.repeat(500_000);
    await a.serve(name, async ({ text }) => ({ text: `${text} ${text}` }));
    const words = ['a', 'b', 'c', 'd'];
    const replies = await Promise.all(words.map((word, n) => [b, c][n % 2]!.ask(name, { text: textOf(word) })));
    const expected = words.map((word) => `${textOf(word)} ${textOf(word)}`);
    expect(replies.map((reply, n) => reply?.['text'] === expected[n])).to.deep.equal([true, true, true, true]);
    const { heard } = await hearing(a, topic);
    for (const word of words) {
      b.tell(topic, { by: 'b', text: textOf(word) });
      c.tell(topic, { by: 'c', text: textOf(word) });
    }
    await eventually(() => (heard.length === 2 * words.length ? true : undefined));
    for (const by of ['b', 'c'])
      expect(heard.filter((one) => one['by'] === by).map(({ text }) => String(text)[0])).to.deep.equal(words);
    expect(heard.every(({ text }) => text === textOf(String(text)[0]!))).to.equal(true);
  });

  /** Collects the messages of a topic on this link. */
  async function hearing(of: ServerLink, topic: string, again?: () => void) {
    const heard: JsonObject[] = [];
    const stop = await of.hear(topic, (message) => heard.push(message), again);
    return { heard, stop };
  }

  it('sends messages to all other servers, by topic and in order', async () => {
    const [a, b, c] = [link(), link(), link()];
    const [topic, other] = [unique('topic'), unique('topic')];
    const [own, first, second, third] = await Promise.all([
      hearing(a, topic),
      hearing(b, topic),
      hearing(b, topic),
      hearing(c, topic),
    ]);
    const apart = await hearing(c, other);
    const numbers = Array.from({ length: 20 }, (_, n) => ({ n, ...rich }));
    for (const message of numbers) a.tell(topic, message);
    a.tell(other, { last: true });
    await eventually(() => (apart.heard.length > 0 ? true : undefined));
    for (const { heard } of [first, second, third]) {
      await eventually(() => (heard.length >= numbers.length ? true : undefined));
      expect(heard).to.deep.equal(numbers);
    }
    expect([own.heard, apart.heard]).to.deep.equal([[], [{ last: true }]]);
    first.stop();
    a.tell(topic, { n: 20 });
    await eventually(() => (second.heard.length > numbers.length ? true : undefined));
    expect(first.heard).to.have.length(numbers.length);
  });

  it('is there again after an interruption, and says so', async () => {
    const [a, b] = [link(), link()];
    const [name, topic] = [unique(), unique('topic')];
    let [again, afterStop] = [0, 0];
    const { heard } = await hearing(b, topic, () => (again += 1));
    const stopped = await hearing(b, topic, () => (afterStop += 1));
    stopped.stop();
    const stop = await a.serve(name, echo);
    await a.serve(unique('stays'), echo);
    for (let time = 1; time <= INTERRUPTIONS; time += 1) {
      await links().interrupt();
      await eventually(() => (again >= time ? true : undefined));
      // A request may fail until both servers are connected again.
      await eventually(() => b.ask(name, { time }).catch(() => undefined));
      await eventually(() => {
        a.tell(topic, { time });
        return heard.some((message) => message['time'] === time) ? true : undefined;
      });
    }
    expect([afterStop, stopped.heard]).to.deep.equal([0, []]);
    stop();
    await eventually(async () => ((await b.ask(name, {})) === undefined ? true : undefined));
    await links().interrupt();
    await eventually(() => (again > INTERRUPTIONS ? true : undefined));
    const last = await eventually(() =>
      b.ask(name, {}).then(
        (reply) => ({ reply }),
        () => undefined,
      ),
    );
    expect(last).to.deep.equal({ reply: undefined });
  });
}
