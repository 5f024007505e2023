import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { expect } from 'chai';
import { expectTypeOf } from 'expect-type';
import { lastValueFrom } from 'rxjs';
import * as v from 'valibot';
import {
  createPipeline,
  defineTool,
  describeTool,
  type PostActing,
  type StandardSchema,
  type Tool,
} from '../../lib/index.ts';

/** The model's result of a call with that input, and the input of the tool. */
async function act(tool: Tool, input: object): Promise<{ outcome: string; content: string }> {
  const run = createPipeline().start({ agent: 'a' });
  const call = { id: 'c', name: tool.name, input: input as never };
  const post = (await lastValueFrom(run.act(call, [tool]))) as unknown as PostActing;
  return { outcome: post.outcome, content: post.result.content };
}

const base = { name: 'repeat', description: 'Repeats.' };
const wrong = (value: unknown): never => value as never;
const jsonSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
  required: ['text'],
  additionalProperties: false,
};

describe('a tool with a schema of another library', () => {
  const ofValibot = defineTool({
    ...base,
    inputSchema: v.object({ text: v.string(), times: v.optional(v.pipe(v.number(), v.minValue(1)), 2) }),
    jsonSchema,
    execute: ({ text, times }) => {
      expectTypeOf(times).toEqualTypeOf<number>();
      return text.repeat(times);
    },
  });
  const ofArktype = defineTool({
    ...base,
    inputSchema: type({ text: 'string', 'times?': 'number >= 1' }),
    execute: ({ text, times }) => {
      expectTypeOf(text).toEqualTypeOf<string>();
      return text.repeat(times ?? 2);
    },
  });

  for (const [library, tool] of Object.entries({ ofValibot, ofArktype })) {
    it(`receives the parsed input (${library})`, async () => {
      expect(await act(tool, { text: 'ab' })).to.deep.equal({ outcome: 'executed', content: 'abab' });
    });

    it(`does not run with an invalid input, and the field is reported (${library})`, async () => {
      const { outcome, content } = await act(tool, { text: 'ab', times: 0 });
      expect(outcome).to.equal('failed');
      expect(content).to.match(/^The input of tool "repeat" is invalid\. times: /);
    });
  }

  it('gives models the JSON Schema of the schema', () => {
    expect(describeTool(ofArktype).inputSchema).to.deep.include({ type: 'object', required: ['text'] });
    const telling = toStandardJsonSchema(v.object({ text: v.string() }));
    const tool = defineTool({ ...base, inputSchema: telling, execute: ({ text }) => text });
    expect(describeTool(tool).inputSchema).to.deep.include({ type: 'object', required: ['text'] });
  });

  it('requires `jsonSchema` if the schema cannot provide it', () => {
    expect(describeTool(ofValibot).inputSchema).to.deep.equal(jsonSchema);
    const define = () => defineTool({ ...base, inputSchema: v.object({ text: v.string() }), execute: () => '' });
    expect(define).to.throw(/^Tool "repeat": the schema \(valibot\) has no JSON Schema\. Set `jsonSchema` of the tool/);
  });

  it('may be asynchronous', async () => {
    const inputSchema = v.pipeAsync(
      v.objectAsync({ text: v.string() }),
      v.checkAsync(async ({ text }) => text !== 'taken', 'is taken'),
    );
    const tool = defineTool({ ...base, inputSchema, jsonSchema, execute: ({ text }) => text });
    expect(await act(tool, { text: 'free' })).to.include({ outcome: 'executed', content: 'free' });
    expect((await act(tool, { text: 'taken' })).content).to.contain('is taken');
  });

  it('may return a promise of another implementation', async () => {
    const validate = (value: unknown) => ({
      // biome-ignore lint/suspicious/noThenProperty: what libraries with promises of their own give.
      then(resolve: (result: object) => void, reject: (why: Error) => void) {
        const { text } = value as { text: string };
        if (text === 'broken') reject(new Error('no database'));
        else resolve(text === 'taken' ? { issues: [{ message: 'is taken', path: ['text'] }] } : { value: { text } });
      },
    });
    const inputSchema = { '~standard': { version: 1, vendor: 'own', validate } } as unknown as StandardSchema;
    const tool = defineTool({ ...base, inputSchema, jsonSchema, execute: (input) => JSON.stringify(input) });
    expect(await act(tool, { text: 'free' })).to.include({ outcome: 'executed', content: '{"text":"free"}' });
    expect((await act(tool, { text: 'taken' })).content).to.contain('text: is taken');
    expect((await act(tool, { text: 'broken' })).content).to.contain('no database');
  });
});

describe('a tool with a JSON Schema', () => {
  const tool = defineTool({ ...base, inputSchema: jsonSchema, execute: ({ text }) => String(text) });

  it('is passed unchanged to models, and checks their calls', async () => {
    expect(describeTool(tool).inputSchema).to.equal(jsonSchema);
    expect(await act(tool, { text: 'ab' })).to.include({ outcome: 'executed', content: 'ab' });
    for (const input of [{}, { text: 1 }, { text: 'a', times: 0 }, { text: 'a', times: 1.5 }, { text: 'a', more: 1 }])
      expect(await act(tool, input), JSON.stringify(input)).to.include({ outcome: 'failed' });
  });

  it('must accept an object', () => {
    const define = () => defineTool({ ...base, inputSchema: { type: 'string' }, execute: () => '' });
    expect(define).to.throw('Tool "repeat": inputSchema must describe an object');
    for (const schema of [undefined, null, 1, 'x', []])
      expect(() => defineTool({ ...base, inputSchema: wrong(schema), execute: () => '' })).to.throw(/inputSchema must/);
  });
});
