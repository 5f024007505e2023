import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { promptHint, type SecurityScanOptions, securityScan } from '../../../lib/hooks/index.ts';
import { createAgent, createPipeline, defineHook, defineTool, type Hook, textOf } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';

const V = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const HEX = Buffer.from(V).toString('hex');

/** The events of a run whose first tool prints the scripted text. The second one is called with it. */
async function told(
  first: string,
  second: string,
  answer: readonly string[],
  options: SecurityScanOptions = {},
  prompt = 'hi',
  hooks: readonly Hook[] = [],
) {
  const calls = (input: string) => ({ toolCalls: [{ name: 'say', input: { text: input } }] });
  const model = scriptedModel([calls(first), calls(second), { chunks: answer }] as never);
  const ran: string[] = [];
  const tool = defineTool({
    name: 'say',
    description: 'says',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    permission: 'read',
    execute: ({ text }: { text: string }) => {
      ran.push(text);
      return `it is ${text}.`;
    },
  } as never);
  const agent = createAgent({
    name: 'a',
    model,
    tools: [tool],
    pipeline: createPipeline([securityScan(options), ...hooks]),
  });
  const events = await lastValueFrom(agent.run(prompt, { sessionId: 's' }).pipe(toArray()));
  const results = events.flatMap((event) => (event.type === 'postActing' ? [event.result.content] : []));
  const words = events.flatMap((event) =>
    event.type === 'reasoningChunk' && event.part === 'text' ? [event.delta] : [],
  );
  return { results, words: words.join(''), ran };
}

describe('securityScan with earlier findings of a run', () => {
  it('redacts a found value in results, other encodings and answers', async () => {
    const { results, words } = await told(`DB_PASSWORD=${V}`, `${V} and ${HEX}`, [
      `So ${V.slice(0, 5)}`,
      `${V.slice(5)} it is.`,
    ]);
    expect(results[1]).to.match(/^it is \[REDACTED:[a-z-]+\] and \[REDACTED:[a-z-]+\]\.$/);
    expect(words).to.match(/^So \[REDACTED:[a-z-]+\] it is\.$/);
  });

  it('remembers a value in a prompt that is only reported', async () => {
    const { results } = await told('nothing', V, ['done'], {}, `use DB_PASSWORD=${V}`);
    expect(results[1]).to.match(/^it is \[REDACTED:[a-z-]+\]\.$/);
  });

  it('blocks a call with a value found before', async () => {
    const options: SecurityScanOptions = { policies: { toolInput: 'block' } };
    const { ran } = await told(V, V, ['done'], options, `use DB_PASSWORD=${V}`);
    expect(ran).to.deep.equal([]);
  });

  it('redacts a value found before in a message that a hook adds to every request', async () => {
    const hook = promptHint({ hints: [{ text: `Mind ${V}.` }] });
    const asked: string[] = [];
    const show = defineHook({
      name: 'show',
      observe: (event) => void (event.type === 'preReasoning' && asked.push(textOf(event.messages[0]!))),
    });
    await told(`DB_PASSWORD=${V}`, 'x', ['done'], {}, 'hi', [hook, show]);
    expect(asked[0]).to.equal(`Mind ${V}.`);
    for (const text of asked.slice(1)) expect(text).to.match(/^Mind \[REDACTED:/);
    expect(asked).to.have.length(3);
  });

  it('ignores findings of other runs, and guesses', async () => {
    const { results } = await told(`password: sunflower88garden`, 'sunflower88garden', ['done']);
    expect(results[1]).to.equal('it is sunflower88garden.');
    const other = await told('x', V, ['done']);
    expect(other.results[1]).to.equal(`it is ${V}.`);
  });
});
