import { expect } from 'chai';
import { z } from 'zod';
import { redacts } from '../redacts.ts';
import { type Any, modelOf, versions } from './scene.ts';

for (const { name, version, bare, hookedBy } of versions) {
  describe(`arguments from a model of ${name} that are not an object`, () => {
    const given = async (sdk: Any, input: string, how: 'generateText' | 'streamText') => {
      const ran: unknown[] = [];
      const wipe = {
        inputSchema: z.object({ only: z.string().optional() }),
        execute(one: unknown) {
          ran.push(one);
          return 'wiped';
        },
      };
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'wipe', input };
      const model = modelOf(version, [call], [{ type: 'text', text: 'Done.' }]);
      const stopWhen = ({ steps }: Any) => steps.length > 2;
      const result = sdk[how]({ model, prompt: 'Go!', tools: { wipe }, stopWhen });
      if (how === 'generateText') await result;
      else for await (const _ of result.fullStream);
      return { ran, prompt: JSON.stringify(model.asked[1]?.prompt) };
    };

    for (const how of ['generateText', 'streamText'] as const)
      it(`run nothing, even if a hook changes the reported arguments (${how})`, async () => {
        for (const input of ['"swordfish"', '["swordfish"]', 'null', 'swordfish {']) {
          for (const sdk of [bare, hookedBy().sdk, hookedBy(redacts).sdk])
            expect((await given(sdk, input, how)).ran, input).to.deep.equal([]);
          const { prompt } = await given(hookedBy(redacts).sdk, input, how);
          expect(prompt, input).to.include('c1').and.not.include('swordfish');
        }
      });
  });
}
