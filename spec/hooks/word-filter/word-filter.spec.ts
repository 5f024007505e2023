import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lastValueFrom, of, throwError, toArray } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import { wordFilter, wordFilterEntry } from '../../../lib/hooks/word-filter/word-filter.ts';
import { type WordFilterOptions, wordFilterOptionsSchema } from '../../../lib/hooks/word-filter/word-filter-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import { defineTool, type ToolReturn } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { tempFolder } from '../../temp-folder.ts';

const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
const says = (...deltas: string[]) => of(...deltas.map((delta): ModelChunk => ({ type: 'text', delta })), finish);
const calls = (input: object) =>
  of({ type: 'toolCall', toolCall: { id: 'c', name: 'look', input } } as ModelChunk, finish);

interface Scene {
  readonly prompt?: string;
  readonly answers?: readonly ReturnType<typeof says>[];
  readonly execute?: () => ToolReturn;
}

/** A run under a filter of the word `heck`, with its visible text by place. */
async function run(options: Partial<WordFilterOptions>, { prompt = 'go', answers = [says('ok')], execute }: Scene) {
  const requests: ModelRequest[] = [];
  const inputs: unknown[] = [];
  const model: Model = (request) => answers[requests.push(request) - 1] ?? says('end');
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    execute(input) {
      inputs.push(input);
      return execute?.() ?? 'seen';
    },
  });
  const pipeline = createPipeline([wordFilter({ words: ['heck'], ...options })], {
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const agent = createAgent({ name: 'a', model, tools: [tool], pipeline });
  const events = await lastValueFrom(agent.run(prompt).pipe(toArray()));
  const post = events.at(-1);
  return {
    requests,
    inputs,
    ended: post?.type === 'postCall' ? `${post.outcome}: ${post.reason ?? textOf(post.message)}` : '',
    asked: textOf(requests[0]?.messages.at(-1)),
    streamed: events.flatMap((event) => (event.type === 'reasoningChunk' ? [event.delta] : [])).join(''),
    result: events.find((event) => event.type === 'postActing')?.result.content,
    codes: events.flatMap(({ notes = [] }) => notes.map(({ code }) => code)),
    all: JSON.stringify(events),
  };
}

describe('wordFilter', () => {
  it('masks words in prompts, answers and results, and reports the number but not the words', async () => {
    const { asked, streamed, result, ended, codes, all } = await run(
      {},
      { prompt: 'What the HECK?', answers: [calls({}), says('Oh ｈｅ', 'ck', ', no.')], execute: () => 'heck it' },
    );
    expect(asked).to.equal('What the ***?');
    expect(result).to.equal('*** it');
    expect(streamed).to.equal('Oh ***, no.');
    expect(ended).to.equal('completed: Oh ***, no.');
    expect(codes).to.deep.equal(['word-masked', 'word-masked', 'word-masked']);
    expect(all).not.to.match(/heck/i);
  });

  it('flags them without changes', async () => {
    const options = { prompts: 'flag', answers: 'flag', results: 'flag', calls: 'flag' } as const;
    const { asked, ended, result, codes } = await run(options, {
      prompt: 'heck',
      answers: [calls({ a: 'heck' }), says('he', 'ck')],
      execute: () => 'heck',
    });
    expect([asked, result, ended]).to.deep.equal(['heck', 'heck', 'completed: heck']);
    expect(new Set(codes)).to.deep.equal(new Set(['word-flagged']));
  });

  it('blocks the run, the result or the call', async () => {
    expect((await run({ prompts: 'block' }, { prompt: 'oh heck' })).ended).to.equal(
      'aborted: hook "word-filter": prompt: word (1 found)',
    );
    const answer = await run({ answers: 'block' }, { answers: [says('Well, he', 'ck', '!')] });
    expect(answer.ended).to.match(/^aborted: hook "word-filter": text: word/);
    expect(answer.streamed).not.to.contain('he');
    const result = await run({ results: 'block' }, { answers: [calls({})], execute: () => 'heck' });
    expect(result.result).to.equal('The result was withheld, because it contains words that may not be used (word).');
    const call = await run({ calls: 'block' }, { answers: [calls({ a: ['heck'] })] });
    expect(call.inputs).to.deep.equal([]);
    expect(call.result).to.contain('its arguments contain words that may not be used (word)');
  });

  it('masks arguments if configured, and leaves them alone otherwise', async () => {
    const masked = await run({ calls: 'mask' }, { answers: [calls({ a: 'heck!' })] });
    expect(masked.inputs).to.deep.equal([{ a: '***!' }]);
    expect((await run({}, { answers: [calls({ a: 'heck!' })] })).inputs).to.deep.equal([{ a: 'heck!' }]);
  });

  it('does nothing if disabled', async () => {
    const { ended, asked } = await run({ answers: 'off' }, { prompt: 'heck', answers: [says('heck')] });
    expect([asked, ended]).to.deep.equal(['***', 'completed: heck']);
  });

  it('masks words in the progress and errors of a tool', async () => {
    const streamed = await run({}, { answers: [calls({})], execute: () => of('he', 'ck no') });
    expect(streamed.result).to.equal('*** no');
    expect(streamed.all).not.to.contain('ck no');
    const thrown = await run({}, { answers: [calls({})], execute: () => throwError(() => new Error('what the heck')) });
    expect(thrown.all).not.to.contain('the heck');
    expect(thrown.result).to.contain('what the ***');
  });

  it('scans output of sub-agents too', async () => {
    const child = createAgent({ name: 'look', model: () => says('oh ', 'heck') });
    const tool = agentTool(child, { description: 'helps' });
    let asked = 0;
    const model: Model = () => (++asked === 1 ? calls({ prompt: 'x' }) : says('done'));
    const agent = createAgent({
      name: 'a',
      model,
      tools: [tool],
      pipeline: createPipeline([wordFilter({ words: ['heck'] })]),
    });
    const events = await lastValueFrom(agent.run('go').pipe(toArray()));
    expect(JSON.stringify(events)).not.to.contain('oh heck');
  });

  it('accepts words from files, a label and a mask', async () => {
    const file = join(tempFolder('words'), 'words.txt');
    writeFileSync(file, '\ufeff# names\r\nProject X\r\n\r\n  坏蛋 \n');
    const { ended, all } = await run(
      { words: [], files: [file], label: 'names', mask: '[..]' },
      { answers: [says('project x of 你是坏蛋吗, heck')] },
    );
    expect(ended).to.equal('completed: [..] of 你是[..]吗, heck');
    expect(all).to.contain('"rules":{"names":2}');
  });

  it('reports invalid options and files', () => {
    const code = 'OPTIONS_INVALID';
    expect(() => wordFilter({}))
      .to.throw('words: requires words or files')
      .with.property('code', code);
    expect(() => wordFilter({ words: ['a'], prompts: 'off', answers: 'off', results: 'off' })).to.throw(
      'has no effect',
    );
    expect(() => wordFilter({ words: ['a', ' '] }))
      .to.throw('The hook "word-filter": The word " " has no letter')
      .with.property('code', code);
    expect(() => wordFilter({ files: ['/nowhere/words.txt'] }))
      .to.throw(/cannot read the word file \/nowhere\/words.txt/)
      .with.property('code', code);
    const empty = join(tempFolder('words'), 'empty.txt');
    writeFileSync(empty, '# nothing\n');
    expect(() => wordFilter({ files: [empty] })).to.throw(`the file ${empty} contains no words`);
    const million = Array.from({ length: 1_000_000 }, (_, index) => `w${index}`);
    expect(() => wordFilter({ words: million }))
      .to.throw('1,000,000 words are too many for one list')
      .with.property('code', code);
  });

  it('is weakened by fewer words, a milder action and other word boundaries', () => {
    const read = (options: WordFilterOptions) => wordFilterOptionsSchema.parse(options);
    const before = read({ words: ['a', 'b'] });
    const weakens = (options: WordFilterOptions) => wordFilterEntry.weakens?.(before, read(options));
    expect(weakens({ words: ['b', 'a', 'c'], answers: 'block', mask: '#' })).to.equal(false);
    expect(weakens({ words: ['a'] })).to.equal(true);
    expect(weakens({ words: ['a', 'b'], prompts: 'flag' })).to.equal(true);
    expect(weakens({ words: ['a', 'b'], wholeWords: false })).to.equal(true);
  });

  it('keeps the hook contract', () => hookContract(wordFilter({ words: ['heck', 'swordfish'] })));
});
