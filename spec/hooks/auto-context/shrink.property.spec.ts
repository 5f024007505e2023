import { expect } from 'chai';
import fc from 'fast-check';
import type { Message } from '../../../lib/events/parts/message.ts';
import { assistantMessage, systemMessage, userMessage } from '../../../lib/events/parts/messages.ts';
import { autoContext } from '../../../lib/hooks/auto-context/auto-context.ts';
import type { AutoContextOptions } from '../../../lib/hooks/auto-context/auto-context-options.ts';
import { cutPlaces } from '../../../lib/hooks/auto-context/split-request.ts';
import { messageTokens } from '../../../lib/hooks/tokens/message-tokens.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { byLetter, exchange, line, watched } from './conversation-scene.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Sends each of these conversation prefixes in order, in one run. */
function ask(talks: readonly (readonly Message[])[], options: AutoContextOptions) {
  const model = watched();
  const pipeline = createPipeline([autoContext(options, { countTokens: byLetter })], { log: quiet });
  const run = pipeline.start({ agent: 'a', sessionId: 's' });
  for (const messages of talks) run.reason({ messages }, model).subscribe();
  return model;
}

const tokens = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens(message, byLetter), 0);

const size = fc.oneof(fc.nat(40), fc.integer({ min: 100, max: 2_000 }));
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      sizes: fc.array(size, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('user' as const), sizes: fc.tuple(size) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assistant' as const), sizes: fc.tuple(size) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), sizes: fc.tuple(size) }) },
);

/** A conversation with distinguishable parts. */
function talkOf(
  pieces: readonly { kind: 'calls' | 'user' | 'assistant' | 'system'; sizes: readonly number[] }[],
): Message[] {
  return pieces.flatMap(({ kind, sizes }, at): Message[] => {
    const text = (nth: number) => `${at}.${nth} `.padEnd(sizes[nth] ?? 0, 'x');
    if (kind === 'user') return [userMessage(text(0))];
    if (kind === 'assistant') return [assistantMessage(text(0))];
    if (kind === 'system') return [systemMessage(text(0))];
    const pairs = sizes.map((_, nth) => exchange(`c${at}.${nth}`, text(nth)));
    const calls = pairs.flatMap(([call]) => call?.parts ?? []);
    return [{ role: 'assistant', parts: calls }, ...pairs.map(([, result]) => result as Message)];
  });
}

describe('a shrunk request', () => {
  const options: AutoContextOptions = { maxTokens: 3_000, keepChars: 40, offload: false, summary: { maxTokens: 300 } };

  it('keeps calls with their results, system text, and the first and last user message, in order', () => {
    let shrunk = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 30 }), fc.nat(12), (pieces, keepLast) => {
        const talk = talkOf(pieces);
        const request = ask([talk], { ...options, keepLast }).requests[0]?.messages ?? [];
        if (tokens(talk) <= 3_000) {
          expect(request.map(line)).to.deep.equal(talk.map(line));
          return;
        }
        shrunk += 1;
        const users = talk.filter(({ role }) => role === 'user');
        const kept = [users[0], users.at(-1), ...talk.filter(({ role }) => role === 'system')];
        for (const one of kept) if (one) expect(request.map(line)).to.include(line(one));
        const ids = (type: 'toolCall' | 'toolResult') =>
          request.flatMap(({ parts }) =>
            parts.flatMap((part) =>
              part.type !== type
                ? []
                : [part.type === 'toolCall' ? part.toolCall.id : part.type === 'toolResult' ? part.toolCallId : ''],
            ),
          );
        expect(ids('toolResult')).to.deep.equal(ids('toolCall'));
        // The remaining parts keep their order: each text starts with its place.
        const own = request.filter(({ origin, role }) => origin === undefined || role === 'tool').map(line);
        const places = own.map((one) => talk.findIndex((other) => line(other).slice(0, 24) === one.slice(0, 24)));
        expect(places).to.not.include(-1);
        expect(places).to.deep.equal([...places].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
    expect(shrunk).to.be.greaterThan(50);
  });

  it('stays within its budget unless the required parts exceed it', () => {
    let within = 0;
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat(12), (pieces, keepLast) => {
        const talk = talkOf(pieces);
        const request = ask([talk], { ...options, keepLast }).requests[0]?.messages ?? [];
        if (tokens(request) <= 3_000) {
          within += 1;
          return;
        }
        // Only system text, the user's first and last message, the summary and the last exchange, with short results.
        const users = talk.filter(({ role }) => role === 'user').map(line);
        const rest = request
          .filter(({ role, origin }) => role !== 'system' && (role === 'tool' || origin === undefined))
          .filter((message) => ![users[0], users.at(-1)].includes(line(message)));
        const calls = rest.filter(({ role }) => role === 'assistant');
        expect(calls.length).to.be.at.most(1);
        for (const { role, parts } of rest) if (role === 'tool') expect(tokens([{ role, parts }])).to.be.at.most(100);
      }),
      { numRuns: 300 },
    );
    expect(within).to.be.greaterThan(150);
  });

  it('is the same in another process at each step', () => {
    let shrunk = 0;
    const hinted = fc.record({
      pieces: fc.array(piece, { minLength: 8, maxLength: 30 }),
      hints: fc.array(fc.boolean(), { minLength: 1 }),
    });
    fc.assert(
      fc.property(hinted, fc.nat(6), ({ pieces, hints }, keepLast) => {
        const whole = talkOf(pieces);
        const store = memoryStateStore();
        const hook = () => autoContext({ ...options, keepLast }, { countTokens: byLetter, store });
        const going = createPipeline([hook()], { log: quiet }).start({ agent: 'a', sessionId: 's' });
        const model = watched();
        for (const [at, end] of cutPlaces(whole).entries()) {
          const hint = { ...userMessage('Be brief.'), origin: 'hint' };
          const messages = [...whole.slice(0, end), ...(hints[at % hints.length] ? [hint] : [])];
          going.reason({ messages }, model).subscribe();
          const fresh = watched();
          const other = createPipeline([hook()], { log: quiet }).start({ agent: 'a', sessionId: 's' });
          other.reason({ messages }, fresh).subscribe();
          if (fresh.summaries.length > 0) continue;
          if ((model.requests.at(-1)?.messages.length ?? 0) < messages.length) shrunk += 1;
          expect(fresh.requests[0]?.messages.map(line)).to.deep.equal(model.requests.at(-1)?.messages.map(line));
        }
      }),
      { numRuns: 60 },
    );
    expect(shrunk).to.be.greaterThan(50);
  });

  it('keeps its prefix for a long time as the conversation grows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 100, maxLength: 150 }), (sizes) => {
        const whole = [userMessage('go'), ...sizes.flatMap((size, at) => exchange(`c${at}`, 'x'.repeat(size)))];
        const talks = sizes.map((_, at) => whole.slice(0, 3 + 2 * at));
        const { requests } = ask(talks, { ...options, keepChars: 0, keepLast: 4 });
        const changes = requests.filter(({ messages }, at) => {
          const before = requests[at - 1]?.messages ?? [];
          return before.some((message, place) => line(message) !== line(messages[place] as Message));
        });
        // Each change frees 1,200 of the 3,000; a summary takes 300 of it at first.
        expect(changes.length).to.be.at.most(2 + Math.ceil(tokens(whole) / 800));
      }),
      { numRuns: 20 },
    );
  });
});
