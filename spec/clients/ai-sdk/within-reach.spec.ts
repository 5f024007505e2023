import { expect } from 'chai';
import { redacting, SEALED, TAKEN } from '../redacting.ts';
import { collected, withinReach } from '../within-reach.ts';
import { type Any, modelOf, versions } from './scene.ts';

const says = `It is ${TAKEN}. `;
const answers = [
  [
    { type: 'reasoning', text: `hm ${TAKEN}`, providerMetadata: { p: { sig: `sig of ${TAKEN}` } } },
    { type: 'text', text: says, providerMetadata: { p: { logprobs: [TAKEN] } } },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":"x"}' },
  ],
  [{ type: 'text', text: says }],
];

for (const { name, version, bare, hookedBy } of versions)
  describe(`data of a run that ${name} receives`, () => {
    for (const streamed of [false, true])
      it(`contains no removed text and no sealed value (${streamed ? 'streamed' : 'whole'})`, async () => {
        const heard: unknown[] = [];
        const ran: string[] = [];
        const keep = (event: unknown): void => void heard.push(event);
        const { sdk, recorded } = hookedBy(redacting);
        const model = modelOf(version, ...answers);
        const look = {
          inputSchema: bare.jsonSchema({ type: 'object' }),
          execute: async (input: Any, given: unknown) => {
            heard.push({ ...(given as object) });
            ran.push(input.at);
            return { said: `${input.at} says ${TAKEN}` };
          },
        };
        const options = {
          ...{ model, tools: { look }, prompt: 'Go!', stopWhen: bare.stepCountIs(3) },
          ...{ onStepFinish: keep, onFinish: keep },
        };
        const result = streamed ? sdk.streamText(options) : await sdk.generateText(options);
        const parts = streamed ? await collected(result.fullStream) : [];
        const told = ['text', 'steps', 'content', 'response', 'toolResults', 'providerMetadata'];
        const settled = await Promise.all(told.map((one) => result[one]));
        expect(ran).to.deep.equal([SEALED]);
        const own = [model, look, look.inputSchema, answers, bare];
        const received = [result, parts, settled, heard];
        expect(withinReach(received, [TAKEN, SEALED], own)).to.deep.equal([]);
        expect(withinReach(received, ['gone'], own)).not.to.deep.equal([]);
        expect(withinReach(recorded.events, [TAKEN, SEALED])).to.deep.equal([]);
      });
  });
