import { expect } from 'chai';
import { finalize, type Observable, take } from 'rxjs';
import { finish } from '../../../lib/events/decisions/finish.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import type { HookEvent, SettledEvent } from '../../../lib/events/hook-event.ts';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/security-scan/security-scan.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { anEvent } from '../../../lib/testing/an-event.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { toolCall } from '../../../lib/testing/tool-call.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

const scan = (options: SecurityScanOptions = {}) => securityScan({ redactor: standInRedactor, ...options });
const TEXT = `the ${SECRET}, and KEY-`;
const CLEAN = `the ${MARKER}, and KEY-`;

/** The chunks emitted for `text` in pieces of these lengths. The rest is the last piece. */
function chunksOf(
  make: (text: string) => HookEvent,
  text: string,
  lengths: readonly number[],
  hook = scan(),
): SettledEvent[] {
  const out: SettledEvent[] = [];
  let rest = text;
  const pieces = [...lengths, text.length].map((length) => {
    const piece = rest.slice(0, length);
    rest = rest.slice(length);
    return make(piece);
  });
  marbles(({ pass, cold }) => {
    const letters = Array.from(pieces, (_, index) => String.fromCodePoint(0x4e00 + index));
    const values = Object.fromEntries(letters.map((letter, index) => [letter, pieces[index] as HookEvent]));
    pass(hook, cold(`${letters.join('')}|`, values)).subscribe((event) => void out.push(event));
  });
  return out;
}

const textOf = (events: readonly SettledEvent[]) =>
  events
    .map((event) => (event.type === 'reasoningChunk' ? event.delta : event.type === 'actingChunk' ? event.content : ''))
    .join('');

describe('securityScan of chunks', () => {
  const kinds = { text: anEvent.text, thinking: anEvent.thinking, 'tool progress': anEvent.actingChunk };

  for (const [kind, make] of Object.entries(kinds)) {
    it(`emits no secret of ${kind} split at any place`, () => {
      for (let first = 0; first <= TEXT.length; first += 1) {
        const out = chunksOf(make, TEXT, [first]);
        expect(textOf(out), `cut at ${first}`).to.equal(CLEAN);
        for (const event of out) expect(JSON.stringify(event)).to.not.match(/KEY-x|xy12|zw34/);
      }
      expect(textOf(chunksOf(make, TEXT, Array(TEXT.length).fill(1)))).to.equal(CLEAN);
    });
  }

  it('holds back only a possible secret and flushes it at the end of the block', () => {
    const values = {
      a: anEvent.text('so KE'),
      b: anEvent.text('Y-ab1'),
      c: anEvent.text('2zw34 it is, or KE'),
      d: anEvent.text('EN, KEY'),
    };
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass(scan(), 'a-b-c-d-|', values)).toShow([
        '0 reasoningChunk "so "',
        `4 reasoningChunk "${MARKER} it is, or " [secret-redacted]`,
        '6 reasoningChunk "KEEN, "',
        '8 reasoningChunk "KEY"',
        '8 reasoningChunk last',
        '8 |',
      ]);
    });
  });

  it('passes on the same chunk object if nothing changes', () => {
    const chunk = anEvent.text('hello');
    marbles(({ pipeline, pass, expectEvents }) => {
      expect(pipeline(scan()).hooks).to.have.length(1);
      expectEvents(pass(scan(), 'a|', { a: chunk })).toShow([
        '0 reasoningChunk "hello"',
        '1 reasoningChunk last',
        '1 |',
      ]);
    });
  });

  it('scans blocks and calls separately: two halves in two streams are not a secret', () => {
    const other = { toolCall: toolCall('bash', {}, 'call_2') };
    const values = {
      a: anEvent.text('KEY-xy', { block: 0 }),
      b: anEvent.thinking('12zw34', { block: 1 }),
      c: anEvent.last({ block: 0 }),
      d: anEvent.last({ block: 1, part: 'thinking' }),
    };
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass(scan(), 'abcd|', values)).toShow([
        '1 reasoningChunk thinking "12zw34" block 1',
        '2 reasoningChunk "KEY-xy"',
        '2 reasoningChunk last',
        '3 reasoningChunk thinking last block 1',
        '4 |',
      ]);
      const acting = { a: anEvent.actingChunk('KEY-xy'), b: anEvent.actingChunk('12zw34', other) };
      expectEvents(pass(scan(), 'ab|', acting)).toShow([
        '1 actingChunk call_2 "12zw34"',
        '2 actingChunk call_1 "KEY-xy"',
        '2 actingChunk call_1 last',
        '2 actingChunk call_2 last',
        '2 |',
      ]);
    });
  });

  it('never emits held text when the stream is cancelled or fails', () => {
    for (const cutOff of ['cancel', 'fail'] as const) {
      const out: SettledEvent[] = [];
      let ended = false;
      marbles(({ pass, cold }) => {
        const source = cold(cutOff === 'fail' ? 'ab#' : 'ab-', {
          a: anEvent.text('see KEY-xy12'),
          b: anEvent.text('c'),
        });
        const chunks$ = pass(scan(), source).pipe(finalize(() => (ended = true)));
        const wanted$: Observable<SettledEvent> = cutOff === 'cancel' ? chunks$.pipe(take(1)) : chunks$;
        wanted$.subscribe({ next: (event) => void out.push(event), error: () => {} });
      });
      expect(ended).to.equal(true);
      expect(textOf(out), cutOff).to.equal('see ');
    }
  });

  it('emits no half of a secret when an earlier hook finishes the stream', () => {
    const enough = defineHook({
      name: 'enough',
      on: { reasoningChunk: (chunk) => (chunk.delta.includes('xy12') ? finish(chunk) : undefined) },
    });
    const values = { a: anEvent.text('see '), b: anEvent.text('KEY-xy12'), c: anEvent.text('zw34') };
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass([enough, scan()], 'abc|', values)).toShow([
        '0 reasoningChunk "see "',
        `1 reasoningChunk "${MARKER}"`,
        '1 reasoningChunk last',
        '1 |',
      ]);
    });
  });

  it('sees text injected by hooks of the usual bands', () => {
    const leak = defineHook({
      name: 'leak',
      on: { reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: SECRET })) },
    });
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass([leak, scan()], 'a|', { a: anEvent.text('x') })).toShow([
        `0 reasoningChunk "${MARKER}" [secret-redacted]`,
        '1 reasoningChunk last',
        '1 |',
      ]);
    });
  });

  it('reports without holding text back', () => {
    const values = { a: anEvent.text('KEY-xy12'), b: anEvent.text('zw34'), c: anEvent.text('!') };
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass(scan({ policies: { text: 'report' } }), 'abc|', values)).toShow([
        '0 reasoningChunk "KEY-xy12"',
        '1 reasoningChunk "zw34" [secret-reported]',
        '2 reasoningChunk "!"',
        '3 reasoningChunk last',
        '3 |',
      ]);
    });
  });

  it('aborts at blocked text and stops the tool at blocked progress', () => {
    const text = { a: anEvent.text('so KEY-xy12'), b: anEvent.text('zw34, yes'), c: anEvent.text('!') };
    const content = {
      a: anEvent.actingChunk('so KEY-xy12'),
      b: anEvent.actingChunk('zw34, yes'),
      c: anEvent.actingChunk('!'),
    };
    marbles(({ pass, expectEvents }) => {
      expectEvents(pass(scan({ policies: { text: 'block' } }), 'abc|', text)).toShow([
        '0 reasoningChunk "so "',
        `1 reasoningChunk "${MARKER}, yes"`,
        '1 reasoningChunk "" => abort "text: key" by security-scan [secret-blocked]',
        '1 |',
      ]);
      expectEvents(pass(scan({ policies: { toolProgress: 'block' } }), 'abc|', content)).toShow([
        '0 actingChunk call_1 "so "',
        `1 actingChunk call_1 "${MARKER}, yes" => finish by security-scan [secret-blocked]`,
        '1 actingChunk call_1 last',
        '1 |',
      ]);
    });
  });

  it('scans the decoded arguments, not their escaped form', () => {
    const spelt = `{"command":"echo \\u004bEY-xy12zw34\\n","${SECRET}":[1,"KE"]}`;
    const clean = `{"command":"echo ${MARKER}\\n","${MARKER}":[1,"KE"]}`;
    const hook = scan({ policies: { toolInput: 'redact' } });
    for (let first = 0; first <= spelt.length; first += 1) {
      const out = chunksOf(anEvent.toolInput, spelt, [first], hook);
      expect(textOf(out), `cut at ${first}`).to.equal(clean);
    }
    expect(textOf(chunksOf(anEvent.toolInput, spelt, [5], scan())), 'by default').to.equal(spelt);
  });
});
