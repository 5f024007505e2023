import { expect } from 'chai';
import fc from 'fast-check';
import { type Observable, VirtualTimeScheduler } from 'rxjs';
import { readRequests } from '../../lib/adapters/offline/read-requests.ts';
import { examples } from '../../lib/adapters/offline/rules.ts';
import { offlineModel } from '../../lib/adapters/offline-model.ts';
import type { Message } from '../../lib/events/parts/message.ts';
import { systemMessage, userMessage } from '../../lib/events/parts/messages.ts';
import type { ToolCall } from '../../lib/events/parts/tool-call.ts';
import type { ToolDescription } from '../../lib/events/parts/tool-description.ts';
import { errorResult, type ToolResultInput, toolResult } from '../../lib/events/parts/tool-result.ts';
import { type ModelChunk, modelChunkSchema } from '../../lib/pipeline/define/model.ts';

const toolNamed = (name: string, ...members: string[]): ToolDescription => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: Object.fromEntries(members.map((member) => [member, {}])) },
  permission: 'read',
});

const names = ['list_files', 'read_file', 'search_text', 'write_file', 'delete_file', 'run_command'];
const allTools = names.map((name) => toolNamed(name));

/** The answer of the model, which is complete before `subscribe` returns. */
function ask(messages: readonly Message[], tools = allTools, model = offlineModel()) {
  const chunks: ModelChunk[] = [];
  const answer = model({ messages, tools, options: {} }, { signal: new AbortController().signal });
  (answer as Observable<ModelChunk>).subscribe((chunk) => chunks.push(chunk));
  const text = chunks.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('');
  const toolCalls = chunks.flatMap((chunk) => (chunk.type === 'toolCall' ? [chunk.toolCall] : []));
  return { chunks, text, toolCalls };
}

const turn = (toolCalls: readonly ToolCall[], results: readonly ToolResultInput[]): Message[] => [
  { role: 'assistant', parts: toolCalls.map((toolCall) => ({ type: 'toolCall', toolCall })) },
  ...toolCalls.map(
    ({ id, name }, index): Message => ({
      role: 'tool',
      parts: [{ type: 'toolResult', toolCallId: id, toolName: name, result: toolResult(results[index] ?? 'ok') }],
    }),
  ),
];

/** Plays a whole prompt: `act` returns the result of each call. */
function play(prompt: string, act: (call: ToolCall) => ToolResultInput = () => 'ok', tools = allTools) {
  const messages: Message[] = [userMessage(prompt)];
  const turns: ToolCall[][] = [];
  for (;;) {
    const { toolCalls, text } = ask(messages, tools);
    if (toolCalls.length === 0) return { turns, text, messages };
    turns.push(toolCalls);
    if (turns.length > 100) throw new Error('It loops.');
    messages.push(...turn(toolCalls, toolCalls.map(act)));
  }
}

describe('offlineModel', () => {
  it('calls the tool that a request names', () => {
    const { text, toolCalls, chunks } = ask([userMessage('list the files in samples')]);
    expect(text).to.equal('I will list the files in samples.');
    expect(toolCalls).to.deep.equal([{ id: 'call-1', name: 'list_files', input: { path: 'samples' } }]);
    expect(chunks.at(-1)).to.include({ type: 'finish', finishReason: 'toolCalls' });
  });

  it('streams words, and the input before its call, in chunks that match the schema', () => {
    const { chunks, toolCalls } = ask([userMessage('write "some longer text" to notes.txt and read b.txt')]);
    const words = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.delta] : []));
    expect(words).to.deep.equal(['I', ' will', ' write', ' notes.txt', ' and', ' read', ' b.txt.']);
    for (const [index, call] of toolCalls.entries()) {
      const block = chunks.filter((chunk) => 'block' in chunk && chunk.block === index + 1);
      const pieces = block.flatMap((chunk) => (chunk.type === 'toolInput' ? [chunk.delta] : []));
      expect(pieces.length).to.be.greaterThan(1);
      expect(pieces.join('')).to.equal(JSON.stringify(call.input));
      expect(block.at(-1)).to.deep.include({ type: 'toolCall', toolCall: call });
    }
    for (const chunk of chunks) expect(modelChunkSchema.parse(chunk)).to.deep.equal(chunk);
  });

  it('streams any length in few chunks', () => {
    const { chunks, toolCalls } = ask([userMessage(`write "${'long '.repeat(10_000)}" to a.txt`)]);
    const pieces = chunks.flatMap((chunk) => (chunk.type === 'toolInput' ? [chunk.delta] : []));
    expect(pieces.length).to.be.within(100, 200);
    expect(pieces.join('')).to.equal(JSON.stringify(toolCalls[0]?.input));
  });

  it('runs one step after the other and then reports on all', () => {
    const { turns, text } = play('list lib and read a.txt then delete a.txt', ({ name }) => `${name} went well`);
    expect(turns.map((calls) => calls.map(({ id, name }) => [id, name]))).to.deep.equal([
      [
        ['call-1', 'list_files'],
        ['call-2', 'read_file'],
      ],
      [['call-3', 'delete_file']],
    ]);
    expect(text.split('\n')).to.deep.equal([
      'Done: list the files in lib. list_files went well',
      'Done: read a.txt. read_file went well',
      'Done: delete a.txt. delete_file went well',
    ]);
  });

  it('announces a later step', () => {
    const messages = [userMessage('read a.txt then read b.txt')];
    expect(ask([...messages, ...turn(ask(messages).toolCalls, [])]).text).to.equal('Next I will read b.txt.');
  });

  it('reports the number of lines and the first five', () => {
    const { text } = play('read a.txt', () => '1\n2\n3\n4\n5\n6\n7\n');
    expect(text).to.equal('Done: read a.txt. 7 lines, the first 5 are:\n  1\n  2\n  3\n  4\n  5');
    expect(play('read a.txt', () => 'x\ny').text).to.equal('Done: read a.txt. 2 lines:\n  x\n  y');
    expect(play('read a.txt', () => '\n').text).to.equal('Done: read a.txt. The result is empty.');
    expect(play('read a.txt', () => 'x'.repeat(1000)).text).to.have.length.lessThan(250);
  });

  it('labels errors, denials and promises as such', () => {
    expect(play('delete a.txt', () => errorResult('The call was denied by hook "x": no')).text).to.match(
      /^Denied: delete a\.txt\./,
    );
    expect(play('delete a.txt', () => errorResult('EACCES: permission denied')).text).to.match(
      /^Failed: delete a\.txt\./,
    );
    expect(play('run make', () => ({ content: 'wait', isError: false, async: true })).text).to.equal(
      'Begun: run make. wait',
    );
  });

  it('continues after a failed step', () => {
    const { turns } = play('delete a.txt then list', () => errorResult('no'));
    expect(turns).to.have.length(2);
  });

  it('calls only offered tools and names missing ones', () => {
    const { turns, text } = play('run ls and read a.txt then delete a.txt', undefined, [toolNamed('read_file')]);
    expect(turns.flat().map(({ name }) => name)).to.deep.equal(['read_file']);
    expect(text.split('\n')).to.deep.equal([
      'Done: read a.txt. ok',
      'Not done: run ls. The tool run_command is not available.',
      'Not done: delete a.txt. The tool delete_file is not available.',
    ]);
  });

  it("uses the search tool's own name for the search text", () => {
    const inputFor = (tool: ToolDescription) =>
      ask([userMessage('search for hook in lib')], [tool]).toolCalls[0]?.input;
    expect(inputFor(toolNamed('search_text'))).to.deep.equal({ query: 'hook', path: 'lib' });
    expect(inputFor(toolNamed('search_text', 'pattern', 'path'))).to.deep.equal({ pattern: 'hook', path: 'lib' });
    expect(inputFor(toolNamed('search_text', 'pattern', 'query'))).to.have.property('query', 'hook');
    expect(play('search for hook', undefined, [toolNamed('search_text', 'pattern')]).text).to.include(
      'search for "hook" in .',
    );
  });

  for (const prompt of ['who are you?', 'write me a poem', '']) {
    it(`describes itself for ${JSON.stringify(prompt)}`, () => {
      const { text, toolCalls, chunks } = ask([userMessage(prompt)]);
      expect(toolCalls).to.deep.equal([]);
      expect(text).to.include('instead of a language model');
      for (const example of examples) expect(text).to.include(example);
      expect(chunks.at(-1)).to.include({ finishReason: 'stop' });
    });
  }

  it('understands each of its own examples', () => {
    const tools = examples.flatMap((example) => play(example).turns.flat());
    expect(tools.map(({ name }) => name)).to.deep.equal(names);
  });

  it('handles the parts it understands and reports the others', () => {
    const { turns, text } = play('read a.txt then sing');
    expect(turns).to.have.length(1);
    expect(text).to.match(/^Done: read a\.txt\. ok\nI did not understand "sing"\.\nI am the offline model/);
  });

  it('only reports if no tools are offered, also when asked in other words', () => {
    const { messages } = play('read a.txt then delete a.txt');
    const half = messages.slice(0, 3);
    const report = 'Done: read a.txt. ok\nNot done: delete a.txt. The tool delete_file is not available.';
    expect(ask(half, [])).to.include({ text: report });
    expect(ask([...half, userMessage('Sum up.')], [])).to.include({ text: report });
    expect(ask(half, []).toolCalls).to.deep.equal([]);
  });

  it('reports that nothing is left', () => {
    const [question, turn = userMessage('')] = play('read a.txt').messages;
    expect(ask([question ?? turn, turn]).text).to.equal('Nothing to report.');
  });

  it('answers the last message of the user, not one that a hook injects later', () => {
    const { messages } = play('read a.txt');
    const more = [
      systemMessage('Be kind.'),
      ...messages,
      userMessage('delete b.txt'),
      { ...userMessage('read c.txt'), origin: 'memory' },
    ];
    expect(ask(more).toolCalls).to.deep.equal([{ id: 'call-2', name: 'delete_file', input: { path: 'b.txt' } }]);
  });

  it('never reuses a call id of the transcript', () => {
    const old: ToolCall = { id: 'call-2', name: 'read_file', input: {} };
    expect(ask([...turn([old], []), userMessage('read a.txt')]).toolCalls[0]?.id).to.equal('call-3');
  });

  it('never takes more turns than the prompt has steps, for any results', () => {
    const words = [...examples, 'read a.txt and b.txt', 'sing', 'delete it'];
    const prompts = fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' then ', '; ', ' and ', ', ')), {
      maxLength: 6,
    });
    const results = fc.array(fc.record({ content: fc.string(), isError: fc.boolean() }), { minLength: 1 });
    const offered = fc.subarray(allTools, { minLength: 1 });
    fc.assert(
      fc.property(prompts, results, offered, (parts, given, tools) => {
        const prompt = parts.flat().join('');
        let count = 0;
        const { turns, text } = play(prompt, () => given[count++ % given.length] ?? 'ok', tools);
        const steps = readRequests(prompt).steps;
        const possible = steps.flat().filter(({ tool }) => tools.some(({ name }) => name === tool));
        expect(turns.length).to.be.at.most(steps.length);
        expect(turns.flat().map(({ name }) => name)).to.deep.equal(possible.map(({ tool }) => tool));
        expect(text).to.not.equal('');
      }),
      { numRuns: 100 },
    );
  });

  it('spaces its chunks on the given scheduler', () => {
    const scheduler = new VirtualTimeScheduler();
    const times: number[] = [];
    const model = offlineModel({ delayMs: 40, scheduler });
    const answer = model(
      { messages: [userMessage('list')], tools: [], options: {} },
      { signal: new AbortController().signal },
    );
    (answer as Observable<ModelChunk>).subscribe(() => times.push(scheduler.now()));
    scheduler.flush();
    expect(times.slice(0, 3)).to.deep.equal([40, 80, 120]);
    expect(times.at(-1)).to.equal(40 * times.length);
  });

  it('estimates its usage from request and answer', () => {
    const usage = (prompt: string) =>
      (ask([userMessage(prompt)]).chunks.at(-1) as { usage: { inputTokens: number } }).usage;
    expect(usage(`read ${'a'.repeat(400)}`).inputTokens - usage('read a').inputTokens).to.be.within(99, 101);
    expect(usage('read a')).to.have.property('outputTokens').that.is.greaterThan(3);
  });

  it('rejects invalid options', () => {
    const wrong = { delayMs: -1, scheduler: {}, speed: 3 } as unknown as Parameters<typeof offlineModel>[0];
    expect(() => offlineModel(wrong))
      .to.throw(/delayMs[\s\S]*scheduler|speed[\s\S]*delayMs/)
      .with.property('code', 'OPTIONS_INVALID');
    expect(offlineModel().modelId).to.equal('offline');
  });
});
