import { expect } from 'chai';
import { firstValueFrom, of, toArray } from 'rxjs';
import { z } from 'zod';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { HookEvent, SettledEvent } from '../../../lib/events/hook-event.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import type { PostCall } from '../../../lib/events/post-call.ts';
import {
  type StructuredOutputOptions,
  structuredOutput,
} from '../../../lib/hooks/structured-output/structured-output.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

const schema = z.object({ city: z.string(), degrees: z.number() });
const good = { city: 'Oslo', degrees: 18 };
const look = defineTool({ name: 'look', description: 'Looks.', inputSchema: z.object({}), execute: () => 'sun' });

const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
const says = (text: string): ModelChunk[] => [{ type: 'text', delta: text }, finish];
const calls = (name: string, input: object, ...before: ModelChunk[]): ModelChunk[] => [
  ...before,
  { type: 'toolCall', toolCall: { id: `${name}-1`, name, input: input as never } },
  { type: 'finish', finishReason: 'toolCalls' },
];

/** A model that gives these answers in order, and its requests. */
function scripted(...answers: readonly ModelChunk[][]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = (request) => {
    requests.push(request);
    return of(...(answers[requests.length - 1] ?? says('nothing is left')));
  };
  return Object.assign(model, { requests });
}

async function run(
  model: Model,
  options: StructuredOutputOptions = {},
  tools = [look],
  more: Parameters<typeof createPipeline>[0] = [],
) {
  const answer = structuredOutput(schema, options);
  const agent = createAgent({ name: 'a', model, tools, pipeline: createPipeline([answer.hook, ...more]) });
  const run$ = agent.run('What is the weather?');
  const events = (await firstValueFrom(run$.pipe(toArray()))) as SettledEvent<HookEvent>[];
  const post = events.at(-1) as SettledEvent<PostCall>;
  return { answer, agent, events, post };
}

describe('structuredOutput', () => {
  it('offers a tool for the answer, forces a choice and turns its call into the message', async () => {
    const model = scripted(calls('look', {}), calls('final_answer', good));
    const { answer, events, post } = await run(model);
    expect(
      model.requests.map(({ tools, options }) => [tools.map(({ name }) => name), options.toolChoice]),
    ).to.deep.equal([
      [['look', 'final_answer'], 'required'],
      [['look', 'final_answer'], 'required'],
    ]);
    expect(post.outcome).to.equal('completed');
    expect(textOf(post.message)).to.equal(JSON.stringify(good));
    expect(answer.read(post)).to.deep.equal(good);
    expect(events.filter(({ type }) => type === 'postActing')).to.have.lengthOf(1);
  });

  it('forces the tool if it is the only one, and streams its input as the answer', async () => {
    const json = JSON.stringify(good);
    const pieces = json.match(/.{1,4}/g) ?? [];
    const deltas = pieces.map((delta): ModelChunk => ({ type: 'toolInput', toolCallId: 'final_answer-1', delta }));
    const model = scripted(calls('final_answer', good, ...deltas));
    const { answer, events, post } = await run(model, {}, []);
    expect(model.requests[0]?.options.toolChoice).to.deep.equal({ tool: 'final_answer' });
    const text = events.flatMap((event) =>
      event.type === 'reasoningChunk' && event.part === 'text' ? [event.delta] : [],
    );
    expect(text.filter(Boolean)).to.deep.equal(pieces);
    expect(answer.read(post)).to.deep.equal(good);
    const shown = await firstValueFrom(answer.partial(of(...events)).pipe(toArray()));
    expect(shown).to.deep.equal([{ city: 'Oslo' }, good]);
  });

  it('retries with the validation errors, retracts the attempt and stores only a valid answer', async () => {
    const model = scripted(
      calls('final_answer', { city: 'Oslo', degrees: 'warm' }),
      says('It is warm.'),
      calls('final_answer', good),
    );
    const { answer, agent, events, post } = await run(model);
    expect(answer.read(post)).to.deep.equal(good);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).to.include('degrees: ');
    expect(JSON.stringify(model.requests[2]?.messages)).to.include('the tool final_answer was not called');
    const settled = events.filter((event) => event.type === 'postReasoning');
    expect(settled.map(({ attempt }) => attempt)).to.deep.equal([3]);
    expect(JSON.stringify(settled)).to.not.include('warm');
    await agent.call('And now?');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).to.not.include('warm');
  });

  it('fails the run after the last attempt and never returns an invalid answer', async () => {
    const { answer, post } = await run(scripted(says('no'), says('no'), says('no'), calls('final_answer', good)));
    expect(post.outcome).to.equal('failed');
    expect(post.reason).to.include('The answer does not match the schema after 3 attempts');
    expect(() => answer.read(post))
      .to.throw('The run has no answer that matches the schema: its outcome is failed')
      .with.property('code', 'MODEL_FAILED');
    const once = await run(scripted(says('no')), { attempts: 1 });
    expect(once.post.reason).to.include('after the first attempt');
  });

  it('does not treat a message with other tool calls as final, even with text', async () => {
    const both = calls(
      'final_answer',
      good,
      { type: 'text', delta: 'Let me look.' },
      { type: 'toolCall', toolCall: { id: 'l', name: 'look', input: {} } },
    );
    const { events, post, answer } = await run(scripted(both, calls('final_answer', good)));
    const said = events.flatMap((event) => (event.type === 'postReasoning' ? [textOf(event.message)] : []));
    expect(said).to.deep.equal(['Let me look.', JSON.stringify(good)]);
    expect(answer.read(post)).to.deep.equal(good);
  });

  it('uses the native format of the model', async () => {
    const model = scripted(says(JSON.stringify(good)));
    const { answer, post } = await run(model, { mode: 'format' });
    expect(model.requests[0]?.options.responseFormat).to.deep.include({ type: 'json', name: 'final_answer' });
    expect(model.requests[0]?.tools.map(({ name }) => name)).to.deep.equal(['look']);
    expect(answer.read(post)).to.deep.equal(good);
  });

  it('uses an instruction and strips a code block from the answer', async () => {
    const model = scripted(says(`\`\`\`json\n${JSON.stringify(good)}\n\`\`\``));
    const { answer, post } = await run(model, { mode: 'prompt' });
    expect(textOf(model.requests[0]?.messages.at(-1))).to.include('as JSON only');
    expect(textOf(post.message)).to.equal(JSON.stringify(good));
    expect(answer.read(post)).to.deep.equal(good);
  });

  it('rejects text around the JSON and retries', async () => {
    const model = scripted(says(`Here: ${JSON.stringify(good)}`), says(JSON.stringify(good)));
    const { answer, post, events } = await run(model, { mode: 'prompt' });
    expect(answer.read(post)).to.deep.equal(good);
    const shown = await firstValueFrom(answer.partial(of(...events)).pipe(toArray()));
    expect(shown.at(-1)).to.deep.equal(good);
  });

  it('reads nothing from an answer that a hook has replaced', async () => {
    const other = defineHook({
      name: 'other',
      on: {
        postCall: (event) => ({
          ...event,
          message: { role: 'assistant', parts: [{ type: 'text', text: '{"city":1}' }] },
        }),
      },
    });
    const { answer, post } = await run(scripted(calls('final_answer', good)), {}, [look], [other]);
    expect(() => answer.read(post)).to.throw(/no answer that matches the schema: its outcome is completed, and city/);
  });

  it('accepts a JSON Schema and names an unsupported schema', async () => {
    const json = structuredOutput({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] });
    expect(
      json.read({ outcome: 'completed', message: { role: 'assistant', parts: [{ type: 'text', text: '{"a":1}' }] } }),
    ).to.deep.equal({ a: 1 });
    for (const wrong of [z.array(z.string()), { type: 'array' }])
      expect(() => structuredOutput(wrong as never))
        .to.throw(/the schema must describe an object.*\{ items: \[\.\.\] \}/s)
        .with.property('code', 'OPTIONS_INVALID');
    expect(() => structuredOutput(schema, { mode: 'tol' } as never)).to.throw(/mode/);
  });

  it('reports another tool with the same name', async () => {
    const { post } = await run(scripted(calls('look', {})), { toolName: 'look' });
    expect(post).to.include({ outcome: 'failed' });
    expect(post.reason).to.include('Set another toolName in structuredOutput');
  });

  it('is typed by its schema', () => {
    const { read } = structuredOutput(schema);
    const typed: (event: never) => { city: string; degrees: number } = read;
    expect(typed).to.be.a('function');
  });

  it('keeps the hook contract, except for invalid answers', async () => {
    const error = await hookContract(structuredOutput(schema).hook).catch((thrown) => thrown);
    const issues = (error.message as string).split('\n').slice(1);
    expect(issues).to.have.lengthOf(8);
    for (const issue of issues) expect(issue).to.include('does not match the schema');
  });
});
