import { expect } from 'chai';
import fc from 'fast-check';
import { confidences } from '../../../lib/redaction/confidence.ts';
import { createRedactor, type RedactorOptions, type Rule } from '../../../lib/redaction/index.ts';
import { chunksOf, randomEscapes, randomSizes, randomText } from '../random/random-text.ts';
import { known, sampleRules } from '../sample-rules.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 600_000 : 5_000;
const modes = ['marker', 'numbered', 'mask', 'hash', 'format'] as const;
const unsure = sampleRules.map(
  (rule, place): Rule => (rule.swallow ? rule : { ...rule, confidence: confidences[place % 3]! }),
);
const leaves = [[], ['guessed'], ['assigned', 'guessed']] as const;
const redactorOf = (mode: NonNullable<RedactorOptions['mode']>) =>
  createRedactor(unsure, { mode, key: 'k', known: [known] });
const redactors = new Map(modes.map((mode) => [mode, redactorOf(mode)]));

describe('a random stream of text', () => {
  const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);

  it(`is redacted like the whole text, with any chunks, ${RUNS} times`, function () {
    this.timeout(0);
    console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
    const taken = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof(randomText, randomEscapes),
        randomSizes,
        fc.constantFrom(...modes),
        fc.constantFrom(...leaves),
        (text, sizes, mode, leave) => {
          const redactor = redactors.get(mode)!;
          const whole = redactor.redact(text, { leave });
          const stream = redactor.stream({ leave });
          const written = chunksOf(text, sizes).map((chunk) => stream.write(chunk));
          const parts = [...written, stream.end()];
          expect(parts.join('')).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
          for (const [place, part] of parts.entries()) {
            const cut = /[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(parts.slice(place + 1).join(''));
            expect(cut, 'a pair was cut').to.equal(false);
          }
          const places = whole.findings.flatMap(({ start, end }) => [start, end]);
          expect(places).to.deep.equal([...places].sort((a, b) => a - b));
          for (const { rule, confidence } of whole.findings) taken.add(rule).add(`${confidence} ${leave.length}`);
          if (/\[REDACTED:pat\]/.test(text)) taken.add('a marker in the text');
          if (whole.text !== text && mode !== 'marker') taken.add(mode);
        },
      ),
      { numRuns: RUNS, seed },
    );
    const wanted = [...sampleRules.map(({ id }) => id), 'KEY', 'a marker in the text', ...modes.slice(1)];
    for (const confidence of confidences) wanted.push(...[0, 1, 2].map((left) => `${confidence} ${left}`));
    expect(wanted.filter((branch) => !taken.has(branch))).to.deep.equal([]);
  });

  it('does not change when redacted again', function () {
    this.timeout(0);
    fc.assert(
      fc.property(randomText, fc.constantFrom('marker', 'numbered', 'hash'), (text, mode) => {
        const redactor = redactors.get(mode as 'marker')!;
        const once = redactor.redact(text).text;
        const again = redactor.redact(once);
        expect(again).to.deep.equal({ text: once, findings: [] });
      }),
      { numRuns: RUNS / 4, seed },
    );
  });

  it('shows no part of a cut secret', function () {
    this.timeout(0);
    fc.assert(
      fc.property(fc.oneof(randomText, randomEscapes), randomSizes, fc.nat(30), (text, sizes, count) => {
        const redactor = redactors.get('marker')!;
        const whole = redactor.redact(text);
        const stream = redactor.stream();
        const chunks = chunksOf(text, sizes).slice(0, count);
        const shown = chunks.map((chunk) => stream.write(chunk)).join('');
        expect(whole.text.startsWith(shown), 'what was shown stands').to.equal(true);
        const rest = stream.abort();
        for (const piece of rest.split(/\[REDACTED:[\w#-]+\]/)) expect(text).to.include(piece);
        const sofar = chunks.join('');
        const safe = redactor.redact(sofar);
        for (const { start, end } of safe.findings.filter((finding) => finding.end - finding.start > 5)) {
          const bare = (where: string) => where.replace(/\[REDACTED:[\w#-]+\]/g, '\0');
          const times = (where: string) => bare(where).split(sofar.slice(start, end)).length;
          expect(times(shown + rest), 'a secret is shown').to.be.at.most(times(safe.text));
        }
        expect(stream.write('more') + stream.end() + stream.abort()).to.equal('');
      }),
      { numRuns: RUNS / 4, seed },
    );
  });
});
