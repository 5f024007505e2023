import type * as ai from 'ai';
import { expect } from 'chai';
import type { Message } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, says, stopWhen, watch } from './scene.ts';

type Prompt = ai.ModelMessage[];

/** What hooks and the model have seen of the messages, step by step. */
async function stepsOf(prepareStep?: (prompt: Prompt, step: number) => Prompt) {
  const { generateText, recorded } = hooked([watch]);
  const model = modelOf(calls('look', { at: 'x' }, 'c1'), calls('look', { at: 'y' }, 'c2'), says('done'));
  await generateText({
    model,
    tools: look(),
    stopWhen,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
    ...(prepareStep && {
      prepareStep: ({ messages, stepNumber }) => ({ messages: prepareStep(messages, stepNumber) }),
    }),
  });
  const seen = recorded.of('preReasoning').map(({ messages }) => messages);
  return { seen, asked: model.doGenerateCalls.map(({ prompt }) => prompt) };
}
const said = (messages: readonly Message[] | undefined): string => JSON.stringify(messages);

describe('the history of a run of the AI SDK', () => {
  it('is made of the same messages on each step', async () => {
    const { seen } = await stepsOf();
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 3, 5]);
    expect(seen[1]?.[0]).to.equal(seen[0]?.[0]);
    for (const at of [0, 1, 2]) expect(seen[2]?.[at]).to.equal(seen[1]?.[at]);
  });

  it('shows hooks what its host changes in place', async () => {
    const { seen, asked } = await stepsOf((prompt, step) => {
      const [first, called] = prompt as unknown as { content: { text: string; input: { at: string } }[] }[];
      if (step === 1) Object.assign(first?.content[0] ?? {}, { text: 'changed' });
      if (step === 2) Object.assign(called?.content[0]?.input ?? {}, { at: 'elsewhere' });
      return prompt;
    });
    expect(said(seen[0])).to.include('"go"');
    expect(said(seen[1])).to.include('"changed"').and.to.include('{"at":"x"}');
    expect(said(seen[2])).to.include('"changed"').and.to.include('{"at":"elsewhere"}');
    expect(JSON.stringify(asked[2])).to.include('"changed"').and.to.include('{"at":"elsewhere"}');
  });

  it('is that of its host where it summarises', async () => {
    const { seen, asked } = await stepsOf((prompt, step) =>
      step === 2 ? [{ role: 'user', content: 'a summary' }, ...prompt.slice(3)] : prompt,
    );
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 3, 3]);
    expect(said(seen[2])).to.include('a summary').and.not.to.include('"x"');
    expect(JSON.stringify(asked[2])).to.include('a summary').and.not.to.include('"x"');
  });
});
