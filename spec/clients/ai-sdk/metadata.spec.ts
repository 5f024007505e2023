import { expect } from 'chai';
import { type HookDefinition, type MessagePart, modify } from '../../../lib/index.ts';
import { type Any, modelOf, versions } from './scene.ts';

const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('k9zx', '****'));
const editing = (edit: (part: MessagePart) => MessagePart): HookDefinition => ({
  name: 'edit',
  on: {
    postReasoning: (event) => modify(event, { message: { ...event.message, parts: event.message.parts.map(edit) } }),
  },
});
const chunks: HookDefinition = {
  name: 'chunks',
  on: { reasoningChunk: (event) => modify(event, { delta: clean(event.delta) }) },
};
const message = editing((part) => {
  if (part.type === 'text' || part.type === 'thinking') return { ...part, text: clean(part.text) };
  return part.type === 'toolCall' ? { ...part, toolCall: clean(part.toolCall) } : part;
});

const told = { own: { quote: 'it is k9zx', signature: 'sig' } };
const untold = { own: { signature: 'kept' } };
const answer = [
  { type: 'reasoning', text: 'Hm, k9zx.', providerMetadata: told },
  { type: 'reasoning', text: 'Well.', providerMetadata: untold },
  { type: 'text', text: 'It is k9zx.', providerMetadata: told },
  { type: 'text', text: 'So it is.', providerMetadata: untold },
];
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":"k9zx"}', providerMetadata: told };

for (const { name, version, bare, hookedBy } of versions) {
  describe(`provider metadata of a part, in ${name}`, () => {
    const tools = {
      look: bare.tool({ inputSchema: bare.jsonSchema({ type: 'object' }), execute: async () => 'seen' }),
    };
    const options = (...answers: readonly (readonly object[])[]) => ({
      model: modelOf(version, ...answers),
      prompt: 'go',
      tools,
      stopWhen: bare.stepCountIs(2),
    });
    const whole = async (sdk: Any, given: Any): Promise<Any> => {
      const { content, steps, response } = await sdk.generateText(given);
      return {
        content,
        all: [content, steps.map((step: Any) => [step.content, step.response.messages]), response, given.model.asked],
      };
    };
    const streamed = async (sdk: Any, given: Any): Promise<Any> => {
      const result = sdk.streamText(given);
      const parts: Any[] = [];
      for await (const part of result.fullStream) parts.push(part);
      const content = await result.content;
      const steps = (await result.steps).map((step: Any) => [step.content, step.response.messages]);
      return { content, all: [parts, steps, given.model.asked] };
    };
    const sees = (content: Any): Any =>
      content.map(({ type, text, providerMetadata }: Any) => [type, text, providerMetadata]);

    it('is kept if hooks leave the part alone', async () => {
      for (const [run, buffer] of [[whole], [streamed], [streamed, true]] as const) {
        const given = { ...options(answer), hookline: { buffer: buffer === true } };
        const { content } = await run(hookedBy().sdk, given);
        expect(sees(content)).to.deep.equal(answer.map((part) => [part.type, part.text, part.providerMetadata]));
      }
    });

    for (const [what, hook, run, buffer] of [
      ['whole, by chunks', chunks, whole],
      ['whole, by a message', message, whole],
      ['streamed, by chunks', chunks, streamed],
      ['buffered, by chunks', chunks, streamed, true],
      ['buffered, by a message', message, streamed, true],
    ] as const)
      it(`is dropped if hooks change the part: ${what}`, async () => {
        const given = { ...options(answer), hookline: { buffer: buffer === true } };
        const { content, all } = await run(hookedBy(hook).sdk, given);
        expect(sees(content)).to.deep.equal([
          ['reasoning', 'Hm, ****.', undefined],
          ['reasoning', 'Well.', untold],
          ['text', 'It is ****.', undefined],
          ['text', 'So it is.', untold],
        ]);
        expect(JSON.stringify(all)).to.not.contain('k9zx');
      });

    for (const run of [whole, streamed])
      it(`is dropped if hooks change the call: ${run.name}`, async () => {
        const { all } = await run(hookedBy(message).sdk, options([call], [{ type: 'text', text: 'Done.' }]));
        expect(JSON.stringify(all)).to.contain('****').and.not.contain('k9zx');
      });

    it('is replaced by the metadata of a hook', async () => {
      const cache = { other: { cache: true } };
      const hook = editing((part) => ({ ...part, text: '****', metadata: { ...told, ...cache } }) as MessagePart);
      const { content } = await whole(
        hookedBy(hook).sdk,
        options([{ type: 'text', text: 'k9zx', providerMetadata: told }]),
      );
      expect(sees(content)).to.deep.equal([['text', '****', cache]]);
    });
  });
}
