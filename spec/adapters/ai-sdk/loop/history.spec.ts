import type * as ai from 'ai';
import { expect } from 'chai';
import type { Message } from '../../../../lib/index.ts';
import { calls, hooked, look, modelOf, says, stopWhen, watch } from './scene.ts';

type Prompt = ai.ModelMessage[];

/** The messages that hooks and the model received, step by step. */
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

describe('the history of a run with the AI SDK', () => {
  it('keeps the same message objects on each step', async () => {
    const { seen } = await stepsOf();
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 3, 5]);
    expect(seen[1]?.[0]).to.equal(seen[0]?.[0]);
    for (const at of [0, 1, 2]) expect(seen[2]?.[at]).to.equal(seen[1]?.[at]);
  });

  it('shows hooks in-place changes of the host', async () => {
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

  it('follows the host when it summarizes', async () => {
    const { seen, asked } = await stepsOf((prompt, step) =>
      step === 2 ? [{ role: 'user', content: 'a summary' }, ...prompt.slice(3)] : prompt,
    );
    expect(seen.map(({ length }) => length)).to.deep.equal([1, 3, 3]);
    expect(said(seen[2])).to.include('a summary').and.not.to.include('"x"');
    expect(JSON.stringify(asked[2])).to.include('a summary').and.not.to.include('"x"');
  });
});
