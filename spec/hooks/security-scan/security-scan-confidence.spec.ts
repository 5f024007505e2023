import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/index.ts';
import { securityScanEntry } from '../../../lib/hooks/security-scan/security-scan.ts';
import { createAgent, createPipeline, type Message, memoryTranscript, textOf } from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const GUESS = 'password: sunflower88';
const SURE = `DB_PASSWORD=${'k3j9X2m8'.concat('Q5w7z1v4b6')}`;
const BOTH = `${GUESS}\n${SURE}\n`;

/** The result of a tool and the answer after a run, with the codes of its notes. */
async function left(options: SecurityScanOptions) {
  const transcript = memoryTranscript();
  const model = scriptedModel([
    { toolCalls: [{ name: 'look', input: {} }] },
    { chunks: [BOTH.slice(0, 14), BOTH.slice(14)] },
  ] as never);
  const pipeline = createPipeline([securityScan(options)]);
  const tools = [scriptedTool({ name: 'look', result: BOTH })];
  const agent = createAgent({ name: 'a', model, tools, pipeline, transcript });
  const events = await lastValueFrom(agent.run('hi', { sessionId: 's' }).pipe(toArray()));
  const messages = (await transcript.load('s')) as readonly Message[];
  const parts = messages.flatMap(({ parts }) => parts);
  const texts = parts.flatMap((part) =>
    part.type === 'text' ? [part.text] : part.type === 'toolResult' ? [part.result.content] : [],
  );
  const chunks = events.flatMap((event) => (event.type === 'reasoningChunk' ? [event.delta] : [])).join('');
  const notes = events.flatMap(({ notes = [], type }) => notes.map(({ code }) => `${type} ${code}`));
  return { result: texts[1], answer: texts[2], chunks, notes, last: events.at(-1) };
}

describe('securityScan with confidence levels', () => {
  it('redacts guesses in results, and only reports them in answers', async () => {
    const { result, answer, chunks, notes } = await left({});
    expect(result).to.equal('password: [REDACTED:unquoted-password]\nDB_PASSWORD=[REDACTED:env-password]\n');
    expect(answer).to.equal(`${GUESS}\nDB_PASSWORD=[REDACTED:env-password]\n`);
    expect(chunks).to.equal(answer);
    expect(notes).to.include.members(['reasoningChunk secret-reported', 'reasoningChunk secret-redacted']);
  });

  it('redacts guesses in a result that repeats a redacted answer', async () => {
    const said = `${GUESS}\nDB_PASSWORD=[REDACTED:env-password]\n`;
    const model = scriptedModel([
      { chunks: [BOTH], toolCalls: [{ name: 'repeat', input: {} }] },
      { chunks: ['done'] },
    ] as never);
    const tools = [scriptedTool({ name: 'repeat', result: said })];
    const agent = createAgent({ name: 'a', model, tools, pipeline: createPipeline([securityScan({})]) });
    const events = await lastValueFrom(agent.run('hi').pipe(toArray()));
    const texts = events.flatMap((event) =>
      event.type === 'postReasoning'
        ? [textOf(event.message)]
        : event.type === 'postActing'
          ? [event.result.content]
          : [],
    );
    expect(texts).to.deep.equal([said, said.replace('sunflower88', '[REDACTED:unquoted-password]'), 'done']);
  });

  it('redacts guesses in answers if a policy requires it', async () => {
    const { answer } = await left({ policies: { text: 'redact' } });
    expect(answer).to.equal('password: [REDACTED:unquoted-password]\nDB_PASSWORD=[REDACTED:env-password]\n');
  });

  it('skips disabled rules and applies the policy of each confidence', async () => {
    const { result, notes } = await left({
      policies: { toolResult: { format: 'redact', assigned: 'redact', guessed: 'off' }, text: 'off' },
    });
    expect(result).to.equal(`${GUESS}\nDB_PASSWORD=[REDACTED:env-password]\n`);
    expect(notes.filter((note) => note.startsWith('postActing'))).to.deep.equal(['postActing secret-redacted']);
  });

  it('blocks by confidence: a guess does not stop the run, a sure finding does', async () => {
    const blocking = { format: 'block', assigned: 'block', guessed: 'report' } as const;
    const { last } = await left({ policies: { text: blocking, toolResult: 'off' } });
    expect(last).to.include({ type: 'postCall', outcome: 'aborted' });
    const { answer } = await left({ policies: { text: { ...blocking, assigned: 'off' }, toolResult: 'off' } });
    expect(answer).to.equal(BOTH);
  });

  it('is weaker with a weaker policy for one confidence', () => {
    const parse = (options: SecurityScanOptions) => securityScanEntry.optionsSchema.parse(options) as never;
    const weakens = securityScanEntry.weakens as (before: never, after: never) => boolean;
    const strict = parse({ policies: { text: 'redact' } });
    expect(weakens(strict, parse({}))).to.equal(true);
    expect(weakens(parse({}), strict)).to.equal(false);
  });

  it('rejects an unknown confidence', () => {
    const options = { policies: { text: { sure: 'redact' } } } as never;
    expect(() => securityScan(options)).to.throw(/policies\.text/);
  });
});
