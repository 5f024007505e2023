import { expect } from 'chai';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { type Any, modelOf, type Says, versions } from './scene.ts';

const text = (said: string) => ({ type: 'text', text: said });
const thought = (said: string) => ({ type: 'reasoning', text: said });
const call = (toolCallId: string, at = 'x') => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: JSON.stringify({ at }),
});
const search = [
  { ...call('p1'), toolName: 'search', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'p1', toolName: 'search', result: { found: 1 }, providerExecuted: true },
];
const source = { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.org', title: 'Source' };

for (const { name, version, bare, hookedBy } of versions) {
  describe(`the parts of an answer in ${name}`, () => {
    const ran: unknown[] = [];
    const tools: Any = {
      look: bare.tool({
        inputSchema: bare.jsonSchema({ type: 'object' }),
        execute: async ({ at }: Any) => ran.push(at),
      }),
    };
    // Version 5 needs a definition of provider tools.
    if (version === 5) {
      const inputSchema = bare.jsonSchema({ type: 'object' });
      tools.search = { type: 'provider-defined', id: 'own.search', name: 'search', args: {}, inputSchema };
    }
    const said = (content: Any) =>
      content.map(({ type, text: words, toolCallId, id }: Any) => `${type} ${words ?? toolCallId ?? id}`);
    const whole = async (sdk: Any, answer: Says): Promise<Any> => {
      const options = { model: modelOf(version, answer), prompt: 'go', tools };
      return said((await sdk.generateText(options)).content);
    };
    const streamed = async (sdk: Any, answer: Says, buffer?: boolean): Promise<Any> => {
      const hookline = buffer === undefined ? {} : { hookline: { buffer } };
      return said(await sdk.streamText({ model: modelOf(version, answer), prompt: 'go', tools, ...hookline }).content);
    };
    const answers: { readonly [what: string]: readonly object[] } = {
      'a provider tool': [text('A'), ...search, text('B'), call('c1')],
      'a provider tool after a call': [call('c1'), ...search, text('B')],
      'a source between texts': [text('A'), source, text('B')],
      'thoughts and calls': [thought('r1'), call('c1'), thought('r2'), call('c2'), text('B')],
    };
    for (const [what, answer] of Object.entries(answers))
      it(`keep their order: ${what}`, async () => {
        const { sdk } = hookedBy({ name: 'watch', observe: () => {} });
        expect(await whole(sdk, answer)).to.deep.equal(await whole(bare, answer));
        const wanted = await streamed(bare, answer);
        expect(await streamed(sdk, answer)).to.deep.equal(wanted);
        expect(await streamed(sdk, answer, true)).to.deep.equal(wanted);
      });

    it('keep it if hooks change, drop and add some', async () => {
      const hook: HookDefinition = {
        name: 'edit',
        on: {
          postReasoning: (event) => {
            const [a, , c, call1] = event.message.parts as Any;
            return modify(event, {
              message: { ...event.message, parts: [{ ...a, text: 'A!' }, c, call1, text('D')] as never },
            });
          },
        },
      };
      const answer = [text('A'), ...search, text('B'), source, text('C'), call('c1')];
      const parts = [
        /^text A!$/,
        /^tool-call p1$/,
        /^tool-result p1$/,
        /^source s1$/,
        /^text C$/,
        /^tool-call c1$/,
        /^text D$/,
      ];
      for (const content of [
        await whole(hookedBy(hook).sdk, answer),
        await streamed(hookedBy(hook).sdk, answer, true),
      ]) {
        const shown = content.filter((one: string) => one !== 'tool-result c1');
        expect(shown.length, shown.join()).to.equal(parts.length);
        for (const [at, part] of parts.entries()) expect(shown[at]).to.match(part);
      }
    });

    it('run both of two calls with one id', async () => {
      for (const run of [whole, streamed]) {
        ran.length = 0;
        const content = await run(hookedBy().sdk, [call('c1', 'x'), call('c1', 'y')]);
        expect([ran, content.filter((one: string) => one.startsWith('tool-call'))]).to.deep.equal([
          ['x', 'y'],
          ['tool-call c1', 'tool-call c1-2'],
        ]);
      }
    });
  });
}
