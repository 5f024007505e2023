import { expect } from 'chai';
import { readRequests } from '../../../lib/adapters/offline/read-requests.ts';

type Call = [tool: string, ...input: string[]];

const list = (path: string): Call => ['list_files', path];
const read = (path: string): Call => ['read_file', path];
const search = (query: string, path: string): Call => ['search_text', query, path];
const write = (content: string, path: string): Call => ['write_file', content, path];
const remove = (path: string): Call => ['delete_file', path];
const run = (command: string): Call => ['run_command', command];

const members = ['content', 'query', 'path', 'command'];

function read$(prompt: string) {
  const { steps, unclear } = readRequests(prompt);
  const calls = steps.map((step) =>
    step.map(({ tool, input }) => [tool, ...members.flatMap((member) => input[member] ?? [])] as unknown as Call),
  );
  return { calls, unclear };
}

describe('readRequests', () => {
  const single: [prompt: string, call: Call][] = [
    ['list', list('.')],
    ['list the files', list('.')],
    ['list the files in samples', list('samples')],
    ['ls lib/', list('lib/')],
    ['Show me all the files in the folder lib!', list('lib')],
    ['What files are there in lib?', list('lib')],
    ['list the files in .', list('.')],
    ['read README.md', read('README.md')],
    ['Could you please show me README.md?', read('README.md')],
    ["what's in package.json?", read('package.json')],
    ['read the file "my notes.txt".', read('my notes.txt')],
    ['search for HookPriority in lib', search('HookPriority', 'lib')],
    ['grep `a and b`', search('a and b', '.')],
    ['search lib for two words', search('two words', 'lib')],
    ['search for salt and pepper in lib', search('salt and pepper', 'lib')],
    ['write "hello" to notes.txt', write('hello', 'notes.txt')],
    ['write hello, world to notes.txt', write('hello, world', 'notes.txt')],
    ['write "one; then two,\nand three" into notes.txt', write('one; then two,\nand three', 'notes.txt')],
    ["create a file notes.txt with 'it is'", write('it is', 'notes.txt')],
    ['delete notes.txt', remove('notes.txt')],
    ['remove the file a.txt.', remove('a.txt')],
    ['run npm --version', run('npm --version')],
    ['run `npm run a; npm run b`', run('npm run a; npm run b')],
    ['execute echo "a then b"', run('echo "a then b"')],
  ];
  for (const [prompt, call] of single) {
    it(`understands ${JSON.stringify(prompt)}`, () => {
      expect(read$(prompt)).to.deep.equal({ calls: [[call]], unclear: [] });
    });
  }

  const several: [prompt: string, calls: Call[][]][] = [
    ['read a.txt then delete a.txt', [[read('a.txt')], [remove('a.txt')]]],
    ['list samples, and then read a.txt; run ls', [[list('samples')], [read('a.txt')], [run('ls')]]],
    ['Read a.txt. Then delete b.txt.', [[read('a.txt')], [remove('b.txt')]]],
    ['read a.txt\nread b.txt', [[read('a.txt')], [read('b.txt')]]],
    ['read a.txt and list lib', [[read('a.txt'), list('lib')]]],
    ['read a.txt, b.txt and c.txt', [[read('a.txt'), read('b.txt'), read('c.txt')]]],
    ['please delete a.txt, b.txt then list', [[remove('a.txt'), remove('b.txt')], [list('.')]]],
    ['run ls and read "a b.txt"', [[run('ls'), read('a b.txt')]]],
  ];
  for (const [prompt, calls] of several) {
    it(`splits ${JSON.stringify(prompt)} into ${calls.length} step(s)`, () => {
      expect(read$(prompt)).to.deep.equal({ calls, unclear: [] });
    });
  }

  it('keeps unclear parts next to the understood ones', () => {
    expect(read$('read a.txt and tell me a story')).to.deep.equal({
      calls: [[read('a.txt')]],
      unclear: ['tell me a story'],
    });
    expect(read$('sing, dance and whistle')).to.deep.equal({ calls: [], unclear: ['sing, dance and whistle'] });
  });

  it('does not treat a pronoun as a file', () => {
    expect(read$('delete it').calls).to.deep.equal([]);
    expect(read$('show me').calls).to.deep.equal([]);
  });

  it('does not search long texts, except quotations', () => {
    expect(read$(`read a.txt${' and b.txt'.repeat(1000)}`).calls).to.deep.equal([]);
    expect(read$(`write "${'x'.repeat(5000)}" to a.txt`).calls).to.deep.equal([[write('x'.repeat(5000), 'a.txt')]]);
  });

  it('finds nothing in empty text', () => {
    expect(read$(' \n; ')).to.deep.equal({ calls: [], unclear: [] });
  });
});
