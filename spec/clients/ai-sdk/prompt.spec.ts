import { expect } from 'chai';
import { type EventOf, type HookDefinition, type Message, modify, userMessage } from '../../../lib/index.ts';
import { type Any, modelOf, versions } from './scene.ts';

const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('1234', '****'));
const edit = (messages: readonly Message[]): readonly Message[] =>
  messages.map((one) => ({
    ...one,
    parts: one.parts.map((part) => (JSON.stringify(part).includes('1234') ? clean(part) : part)),
  }));
/** Leaves a message without the number alone. */
const editOne = (one: Message): Message => (JSON.stringify(one).includes('1234') ? (edit([one])[0] as Message) : one);
const editing = (change: (messages: readonly Message[]) => readonly Message[]): HookDefinition => ({
  name: 'edit',
  on: { preReasoning: (event: EventOf<'preReasoning'>) => modify(event, { messages: change(event.messages) }) },
});

/** Removes undefined fields. */
function defined(value: Any): Any {
  if (Array.isArray(value)) return value.map(defined);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, defined(member)]));
}

for (const { name, version, bare, hookedBy } of versions) {
  describe(`a prompt of ${name} changed by hooks`, () => {
    const cached = { own: { cache: true } };
    const known = { own: { itemId: 'm1', signature: 'sig' } };
    const reference = { type: 'file', data: { type: 'reference', reference: { own: 'f1' } }, mediaType: 'text/csv' };
    const messages: Any[] = [
      { role: 'system', content: 'The code is 1234.', providerOptions: cached },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'It is 1234.', providerOptions: cached },
          { type: 'file', data: new Uint8Array([37, 80]), mediaType: 'application/pdf', filename: 'a.pdf' },
          ...(version === 7 ? [reference] : []),
        ],
        providerOptions: cached,
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: known },
          { type: 'text', text: 'So it is 1234.', providerOptions: known },
          { type: 'tool-call', toolCallId: 'p1', toolName: 'web', input: { q: 1 }, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'p1', toolName: 'web', output: { type: 'json', value: { r: 1 } } },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'draw', input: {} },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'tell', input: { at: '1234' }, providerOptions: known },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'draw',
            output: { type: 'content', value: [{ type: 'text', text: 'a picture' }] },
          },
          { type: 'tool-result', toolCallId: 'c2', toolName: 'tell', output: { type: 'json', value: { is: '1234' } } },
        ],
      },
      { role: 'user', content: 'Go on.' },
    ];
    const asked = async (sdk: Any, given = messages): Promise<Any[]> => {
      const model = modelOf(version, [{ type: 'text', text: 'Done.' }]);
      const [system, ...rest] = given;
      const first = version === 7 ? 'instructions' : 'system';
      const said = version === 5 ? { messages: given } : { [first]: system, messages: rest };
      await sdk.generateText({ model, ...said, allowSystemInMessages: true });
      return defined(model.asked[0].prompt);
    };
    /** The expected prompt: without the number, and without metadata of changed answer parts. */
    const wanted = async (given = messages): Promise<Any[]> => {
      const prompt = await asked(bare, given);
      return prompt.map((message) => {
        if (typeof message.content === 'string') return { ...message, content: clean(message.content) };
        const content = message.content.map((part: Any) => {
          if (!JSON.stringify(part).includes('1234')) return part;
          const { providerOptions, ...rest } = clean(part);
          return message.role === 'assistant' || !providerOptions ? rest : { ...rest, providerOptions };
        });
        return { ...message, content };
      });
    };

    it('keeps the host’s objects next to the change', async () => {
      expect(await asked(hookedBy(editing(edit)).sdk)).to.deep.equal(await wanted());
    });

    it('keeps them if hooks return copies', async () => {
      const copying = editing((list) => JSON.parse(JSON.stringify(edit(list))));
      expect(await asked(hookedBy(copying).sdk)).to.deep.equal(await wanted());
    });

    it('keeps them if preCall makes the change', async () => {
      const hook: HookDefinition = {
        name: 'edit',
        on: { preCall: (event) => modify(event, { messages: edit(event.messages) }) },
      };
      const [, ...rest] = await asked(hookedBy(hook).sdk);
      const [, ...others] = await wanted();
      expect(rest).to.deep.equal(others);
    });

    it('loses only the parts that hooks remove', async () => {
      const prompt = await asked(
        hookedBy(
          editing((list) =>
            list.map((one) => ({ ...one, parts: one.parts.filter((part) => !JSON.stringify(part).includes('1234')) })),
          ),
        ).sdk,
      );
      const kept = (await asked(bare)).map(({ content, ...message }) => ({
        ...message,
        content:
          typeof content === 'string' ? content : content.filter((part: Any) => !JSON.stringify(part).includes('1234')),
      }));
      // The system message is removed entirely.
      expect(prompt).to.deep.equal(kept.slice(1));
    });

    it('loses a removed message with all its parts', async () => {
      const drop = editing((list) => [
        ...edit(list.filter(({ role }) => role !== 'assistant' && role !== 'tool')),
        userMessage('Please.'),
      ]);
      const prompt = await asked(hookedBy(drop).sdk);
      const [system, user, , , last] = await wanted();
      expect(prompt.slice(0, -1)).to.deep.equal([system, user, last]);
      expect(prompt.at(-1).content).to.deep.equal([{ type: 'text', text: 'Please.' }]);
    });

    it('passes nothing of a changed message to one that hooks insert before it', async () => {
      const add = editing(([first, ...rest]) => [
        ...edit([first as Message]),
        userMessage('Be brief.'),
        ...rest.map(editOne),
      ]);
      const prompt = await asked(hookedBy(add).sdk);
      const [system, ...rest] = await wanted();
      expect([prompt[0], ...prompt.slice(2)]).to.deep.equal([system, ...rest]);
      expect(prompt[1]).to.deep.equal({ role: 'user', content: [{ type: 'text', text: 'Be brief.' }] });
    });

    it('keeps the position of all messages, instructions in between too', async () => {
      const [system, user] = messages;
      const given = [system, user, { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Go on.' }];
      expect(await asked(hookedBy({ name: 'no-op', on: { preReasoning() {} } }).sdk, given)).to.deep.equal(
        await asked(bare, given),
      );
      for (const at of ['preCall', 'preReasoning'] as const) {
        const blunt: HookDefinition = {
          name: 'edit',
          on: { [at]: (event: EventOf<'preReasoning'>) => modify(event, { messages: event.messages.map(editOne) }) },
        };
        const [first, ...rest] = await wanted(given);
        const instructions = at === 'preCall' ? system : first;
        const prompt = await asked(hookedBy(blunt).sdk, given);
        expect([prompt[0].content, ...prompt.slice(1)]).to.deep.equal([instructions.content, ...rest]);
      }
    });

    it('passes nothing of a removed message to one that hooks insert after another', async () => {
      const said = { role: 'assistant', content: [{ type: 'text', text: 'So it is 1234.' }] };
      const crossed = editing(
        ([system, , answer]) => [system, ...edit([answer as Message]), userMessage('Please.')] as Message[],
      );
      const prompt = await asked(hookedBy(crossed).sdk, [...messages.slice(0, 2), said]);
      expect(prompt.at(-1).content).to.deep.equal([{ type: 'text', text: 'Please.' }]);
    });

    it('keeps the form of a result with changed text', async () => {
      const blunt = editing((list) =>
        list.map((one) => ({
          ...one,
          parts: one.parts.map((part) =>
            part.type === 'toolResult' ? { ...part, result: { ...part.result, content: 'hidden' } } : part,
          ),
        })),
      );
      const outputs = (await asked(hookedBy(blunt).sdk)).flatMap(({ content }: Any) =>
        Array.isArray(content) ? content.flatMap(({ output }: Any) => (output ? [output] : [])) : [],
      );
      for (const output of outputs) expect(output).to.deep.equal({ type: 'text', value: 'hidden' });
      expect(outputs).to.have.length(3);
    });
  });
}
