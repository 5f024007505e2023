import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Tool } from '../../lib/pipeline/define/tool.ts';
import { deleteFileTool, listFilesTool, readFileTool, searchTextTool, writeFileTool } from '../../lib/tools/index.ts';
import { callTool } from './call-tool.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';
import { startSwapper } from './swapper.ts';

const names = Array.from({ length: 2000 }, (_, index) => `victim-${index}.txt`);

describe('workspace tools during swaps of a name and a link to the outside', () => {
  let sandbox: Sandbox;
  let stop: () => Promise<void>;

  beforeEach(() => {
    sandbox = makeSandbox();
    sandbox.put({ 'box/file.txt': 'public', 'outside/file.txt': 'SECRET', 'outside/SECRET.txt': 'SECRET' });
  });
  afterEach(async () => {
    await stop();
    sandbox.remove();
  });

  // Continues until both sides of the race occurred often enough. Otherwise a passing spec means nothing.
  async function race(tool: Tool, good: RegExp, input: (index: number) => object, attempts = 300): Promise<string> {
    const [given, other]: [string[], string[]] = [[], []];
    const enough = () => given.length + other.length >= attempts && given.length > 10 && other.length > 10;
    for (let index = 0; index < names.length && !enough(); index += 1) {
      const answer = await callTool(tool, input(index)).then(
        ({ content }) => content,
        (error: Error) => error.message,
      );
      (good.test(answer) ? given : other).push(answer);
    }
    expect(enough(), `${given.length} given, ${other.length} not`).to.equal(true);
    return [...given, ...other].join('\n');
  }

  const swapFolder = async () => {
    stop = await startSwapper(join(sandbox.root, 'box'), sandbox.outside);
  };

  it('read_file never returns outside content when a folder is swapped', async () => {
    await swapFolder();
    const answers = await race(readFileTool(sandbox), /^public$/, () => ({ path: 'box/file.txt' }));
    expect(answers).to.not.contain('SECRET');
  });

  it('read_file never returns outside content when the file itself is swapped', async () => {
    stop = await startSwapper(join(sandbox.root, 'box/file.txt'), join(sandbox.outside, 'file.txt'));
    const answers = await race(readFileTool(sandbox), /^public$/, () => ({ path: 'box/file.txt' }));
    expect(answers).to.not.contain('SECRET');
  });

  it('list_files never lists outside files', async () => {
    await swapFolder();
    const answers = await race(listFilesTool(sandbox), /^box\/file.txt$/, () => ({ path: 'box' }));
    expect(answers).to.not.contain('SECRET');
  });

  it('search_text never finds outside content', async () => {
    await swapFolder();
    const input = { pattern: 'public|SECRET', regex: true, path: 'box' };
    const answers = await race(searchTextTool(sandbox), /: public$/, () => input, 100);
    expect(answers).to.not.contain(': SECRET');
  });

  it('write_file never writes outside, not even an empty or temporary file', async () => {
    await swapFolder();
    const path = (index: number) => (index % 2 ? 'box/file.txt' : `box/new-${index}/a.txt`);
    const changes: unknown[] = [];
    const watcher = watch(sandbox.outside, (...change) => changes.push(change));
    await race(
      writeFileTool(sandbox),
      /^(Made|Replaced)/,
      (index) => ({ path: path(index), content: 'written' }),
      1000,
    );
    watcher.close();
    expect(changes).to.deep.equal([]);
    expect(readdirSync(sandbox.outside)).to.have.members(['file.txt', 'SECRET.txt']);
    expect(readFileSync(join(sandbox.outside, 'file.txt'), 'utf8')).to.equal('SECRET');
  });

  it('delete_file never deletes outside files', async () => {
    sandbox.put(
      Object.fromEntries(
        names.flatMap((name) => [
          [`box/${name}`, ''],
          [`outside/${name}`, ''],
        ]),
      ),
    );
    await swapFolder();
    await race(deleteFileTool(sandbox), /^Deleted/, (index) => ({ path: `box/${names[index]}` }));
    expect(readdirSync(sandbox.outside)).to.have.length(names.length + 2);
  });
});
