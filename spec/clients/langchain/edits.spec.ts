import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { expect } from 'chai';
import { type HookDefinition, type Message, modify, userMessage } from '../../../lib/index.ts';
import { mild, scene, thread } from './scene.ts';

const secret = ['sword', 'fish'].join('');
type Parts = Message['parts'];
type Edit = (messages: readonly Message[]) => readonly Message[];

/** Changes messages with the secret and returns all others unchanged. */
const redact: Edit = (messages) =>
  messages.map((message) => (JSON.stringify(message).includes(secret) ? withParts(message, clean) : message));

const withParts = (message: Message, edit: (parts: Parts) => Parts): Message => ({
  ...message,
  parts: edit(message.parts),
});

const clean = (parts: Parts): Parts =>
  parts.map((part) =>
    'text' in part && part.text.includes(secret) ? { ...part, text: part.text.replaceAll(secret, 'gone') } : part,
  );

/** The model request after a hook edits messages before the run or before the request. */
async function asked(given: readonly BaseMessage[], edit: Edit, at: 'preCall' | 'preReasoning') {
  const edits: HookDefinition = {
    name: 'edits',
    on:
      at === 'preCall'
        ? { preCall: (event) => modify(event, { messages: edit(event.messages) as never }) }
        : { preReasoning: (event) => modify(event, { messages: edit(event.messages) as never }) },
  };
  const { agent, model } = scene({ hooks: [edits], turns: [mild] });
  await agent.invoke({ messages: [...given] }, thread);
  return model.asked[0] ?? [];
}

const cached = { cache_control: { type: 'ephemeral' } };
const pdf = { type: 'file', mimeType: 'application/pdf', data: 'JVBERg==', metadata: { filename: 'a.pdf' } };
const audio = { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' };
/** A block that hooks do not see. */
const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } };
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
const use = { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'x' } };
const call = { id: 'c1', name: 'look', args: { at: 'x' }, type: 'tool_call' as const };
const said = new ToolMessage({ content: 'seen', tool_call_id: 'c1', name: 'look' });
const text = (of: string, more: object = {}) => ({ type: 'text', text: of, ...more });
const human = (content: readonly object[], more: object = {}) =>
  new HumanMessage({ content: content as never, ...more });
const answer = (content: string | readonly object[], more: object = {}) =>
  new AIMessage({ content: content as never, response_metadata: { model_provider: 'anthropic' }, ...more });

for (const at of ['preCall', 'preReasoning'] as const)
  describe(`a LangChain message that a hook edits in ${at}`, () => {
    it('keeps its other blocks, its name and unrelated metadata', async () => {
      const given = human([text(`My ${secret}.`, cached), pdf, sound, audio, picture], {
        name: 'ann',
        additional_kwargs: { turn: 1, copy: secret },
      });
      const [told] = await asked([given, new HumanMessage('Go!')], redact, at);
      expect(told?.content).to.deep.equal([text('My gone.', cached), pdf, sound, audio, picture]);
      expect([told?.name, told?.additional_kwargs]).to.deep.equal(['ann', { turn: 1 }]);
    });

    it('keeps thinking with signatures, and calls', async () => {
      const given = answer([thought, text(`It is ${secret}.`, { citations: [{ cited_text: secret }] }), use], {
        tool_calls: [call],
        additional_kwargs: { parsed: { word: secret }, signatures: ['c2lnbmVk'] },
        name: 'support',
      });
      const [, told] = (await asked([new HumanMessage('Hi!'), given, said], redact, at)) as AIMessage[];
      expect(told?.content).to.deep.equal([thought, text('It is gone.'), use]);
      expect([told?.name, told?.tool_calls]).to.deep.equal(['support', [call]]);
      expect(told?.additional_kwargs).to.deep.equal({ signatures: ['c2lnbmVk'] });
      expect(told?.response_metadata).to.deep.equal({ model_provider: 'anthropic' });
    });

    it('keeps thinking in its metadata', async () => {
      const given = answer(`It is ${secret}.`, { additional_kwargs: { reasoning_content: 'Hm.' } });
      const [told] = await asked([given, new HumanMessage('Go!')], redact, at);
      expect([told?.content, told?.additional_kwargs]).to.deep.equal(['It is gone.', { reasoning_content: 'Hm.' }]);
    });

    it('loses changed thinking and a removed part', async () => {
      const edit: Edit = (messages) =>
        redact(messages).map((one) => withParts(one, (parts) => parts.filter(({ type }) => type !== 'media')));
      const given = [
        answer([{ ...thought, thinking: `Hm, ${secret}.` }, text('It is mild.')]),
        human([text('And this?'), picture, sound]),
      ];
      const [first, second] = await asked(given, edit, at);
      expect(first?.content).to.deep.equal([text('It is mild.')]);
      expect(second?.content).to.deep.equal([text('And this?'), sound]);
    });

    it('has exactly its calls as changed by hooks', async () => {
      const edit: Edit = (messages) =>
        messages.map((one) =>
          withParts(one, (parts) =>
            parts.map((part) =>
              part.type === 'toolCall' ? { ...part, toolCall: { ...part.toolCall, input: { at: 'y' } } } : part,
            ),
          ),
        );
      const given = answer([text('Looking.'), { ...use, input: { at: secret } }], {
        tool_calls: [{ ...call, args: { at: secret } }],
      });
      const [told] = (await asked([given, said, new HumanMessage('Go!')], edit, at)) as AIMessage[];
      expect(told?.tool_calls?.map(({ args }) => args)).to.deep.equal([{ at: 'y' }]);
      expect(JSON.stringify(told)).not.to.include(secret);
    });

    it('is recognized after hooks add and remove messages', async () => {
      const edit: Edit = (messages) => [userMessage('Be brief.'), ...redact(messages.slice(1))];
      const given = [new HumanMessage('Hi!'), answer('Hello!'), human([text(secret), pdf], { name: 'ann' })];
      const told = await asked(given, edit, at);
      expect(told.map(({ content }) => content)).to.deep.equal(['Be brief.', 'Hello!', [text('gone'), pdf]]);
      expect(told.map(({ name }) => name).at(-1)).to.equal('ann');
    });

    it('is not confused with one that hooks insert before it, or with a merged one', async () => {
      const note = human([text('A note.'), pdf], { name: 'ann' });
      const late = human([text(`My ${secret}.`), audio], { name: 'bob' });
      const added: Edit = (messages) => [
        ...messages.slice(0, -1),
        userMessage('Be brief.'),
        ...redact(messages.slice(-1)),
      ];
      const told = await asked([new HumanMessage('Hi!'), answer('Hello!'), late], added, at);
      expect(told.map(({ name }) => name).slice(2)).to.deep.equal([undefined, 'bob']);
      const compact: Edit = (messages) => [
        withParts(messages[0] as Message, () => [{ type: 'text', text: 'All in short.' }]),
        ...messages.slice(3),
      ];
      const short = await asked(
        [human([text('One.'), sound], { name: 'cy' }), answer('Yes.'), note, new HumanMessage('Go!')],
        compact,
        at,
      );
      expect(short.map(({ content, name }) => [content, name])).to.deep.equal([
        ['All in short.', undefined],
        ['Go!', undefined],
      ]);
    });

    it('receives nothing of a removed one with the same text', async () => {
      const [first, last] = ['A.', secret].map((said, nth) =>
        human([text('See this.'), text(said), ...(nth === 0 ? [sound] : [])], { name: `user-${nth}` }),
      );
      const drop: Edit = (messages) => redact(messages.slice(1));
      const told = await asked([first as HumanMessage, answer('Yes.'), last as HumanMessage], drop, at);
      expect(told.map(({ content, name }) => [content, name])).to.deep.equal([
        ['Yes.', undefined],
        [[text('See this.'), text('gone')], 'user-1'],
      ]);
    });

    it('keeps the cache settings of a system message', async () => {
      const given = new SystemMessage({ content: [text(`No ${secret}.`, cached), text('Ever.', cached)] as never });
      const [told] = await asked([given, new HumanMessage('Go!')], redact, at);
      expect(told?.content).to.deep.equal([text('No gone.', cached), text('Ever.', cached)]);
    });
  });
