import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Observable, Subscription } from 'rxjs';
import type { Answer, Question } from '../../../lib/hooks/asking/ask-function.ts';
import { createAskTerminal } from '../../../lib/hooks/asking/ask-terminal.ts';

const question = (tool: string): Question => ({
  tool,
  input: {},
  permission: 'external',
  description: '',
  matched: { pattern: 'rm ', at: 'the tool name', excerpt: tool },
  run: { runId: 'run-1', sessionId: 'session-1', agent: 'main', depth: 0 },
  prompt: `Run ${tool}?`,
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !holds(); tries += 1) await sleep(10);
  expect(holds(), `still not: ${holds}`).to.equal(true);
}

/** A terminal made of streams: its output, how often it was opened and closed, and the answers so far. */
function fakeTerminal() {
  const input = new PassThrough();
  const seen = { text: '', opened: 0, closed: 0, answers: {} as Record<string, Answer>, done: [] as string[] };
  const ask = createAskTerminal(() => {
    seen.opened += 1;
    return {
      input,
      write: (text) => {
        seen.text += text;
      },
      close: () => {
        seen.closed += 1;
        input.pause();
      },
    };
  });
  const put = (tool: string, signal = new AbortController().signal, asked = question(tool)): Subscription =>
    (ask(asked, { signal }) as Observable<Answer>).subscribe({
      next: (answer) => {
        seen.answers[tool] = answer;
      },
      complete: () => void seen.done.push(tool),
    });
  const shows = (text: string) => until(() => seen.text.includes(text));
  return { input, seen, ask, put, shows };
}

describe('createAskTerminal', () => {
  for (const [typed, yes] of [
    ['y', true],
    ['Y', true],
    ['yes', true],
    [' YES ', true],
    ['', false],
    ['n', false],
    ['yep', false],
    ['no y', false],
    ['\u0079\u0300', false],
  ] as const) {
    it(`reads ${JSON.stringify(typed)} as ${yes ? 'yes' : 'no'}`, async () => {
      const { input, seen, put, shows } = fakeTerminal();
      put('a');
      await shows('Run a? [y/N, e: edit] ');
      input.write(`${typed}\n`);
      await until(() => seen.done.length === 1);
      expect(seen.answers).to.deep.equal({ a: yes });
      expect(seen).to.include({ opened: 1, closed: 1 });
      expect(input.listenerCount('data')).to.equal(0);
    });
  }

  it('joins an answer that arrives in pieces', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    put('a');
    await shows('Run a?');
    for (const piece of ['y', 'e', 's', '\r\n']) {
      input.write(piece);
      await sleep(1);
    }
    await until(() => seen.done.length === 1);
    expect(seen.answers).to.deep.equal({ a: true });
  });

  it('prompts one at a time, in order', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    for (const tool of ['a', 'b', 'c']) put(tool);
    await shows('Run a?');
    await sleep(80);
    expect(seen.text).to.not.include('Run b?');
    input.write('y\n');
    await shows('Run b?');
    input.write('n\n');
    await shows('Run c?');
    input.write('y\n');
    await until(() => seen.done.length === 3);
    expect(seen.answers).to.deep.equal({ a: true, b: false, c: true });
    expect(seen).to.include({ opened: 3, closed: 3 });
  });

  it('ignores input typed before the prompt was shown', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    input.write('y\ny\n');
    put('a');
    put('b');
    await shows('Run a?');
    expect(seen.answers).to.deep.equal({});
    input.write('y\ny\n');
    await shows('Run b?');
    await sleep(30);
    expect(seen.answers).to.deep.equal({ a: true });
    input.write('n\n');
    await until(() => seen.done.length === 2);
    expect(seen.answers).to.deep.equal({ a: true, b: false });
  });

  it('retracts a cancelled prompt and keeps the next answer for the next prompt', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    const cancel = new AbortController();
    put('a', cancel.signal);
    put('b');
    await shows('Run a?');
    input.write('y');
    await sleep(5);
    cancel.abort();
    expect(seen.text).to.include('retracted');
    await shows('Run b?');
    input.write('\n');
    await until(() => seen.done.length === 2);
    expect(seen.answers).to.deep.equal({ b: false });
    expect(seen).to.include({ opened: 2, closed: 2 });
  });

  it('never shows a prompt that was cancelled before its turn', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    const cancel = new AbortController();
    put('a');
    put('b', cancel.signal);
    const left = put('c');
    put('d');
    put('e', AbortSignal.abort());
    cancel.abort();
    left.unsubscribe();
    expect(seen.done).to.deep.equal(['e', 'b']);
    await shows('Run a?');
    input.write('y\n');
    await shows('Run d?');
    input.write('y\n');
    await until(() => seen.done.length === 4);
    expect(seen.answers).to.deep.equal({ a: true, d: true });
    expect(seen.text).to.not.match(/Run [bce]\?/);
  });

  it('shows the next prompt after an unsubscribe', async () => {
    const { seen, put, shows } = fakeTerminal();
    const first = put('a');
    put('b');
    await shows('Run a?');
    first.unsubscribe();
    await shows('Run b?');
    expect(seen).to.include({ opened: 2, closed: 1 });
  });

  it('accepts edited arguments and prompts until they are a JSON object', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    put('a');
    put('b');
    await shows('Run a? [y/N, e: edit] ');
    input.write('e\n');
    await shows('a JSON object on one line');
    input.write('{ "n": \u001b\n');
    await shows('Not valid JSON: ');
    expect(seen.text).to.not.include('\u001b');
    for (const wrong of ['[1]', '7', 'null', '"y"', 'true']) {
      seen.text = '';
      input.write(`${wrong}\n`);
      await shows('Not a JSON object.');
    }
    expect(seen.answers).to.deep.equal({});
    input.write('{ "n": 2 }\n');
    await shows('Run b?');
    // In one piece, like a paste.
    input.write('edit\r\n\r\n{ "n": 3 }\n');
    await until(() => seen.done.length === 2);
    expect(seen.answers).to.deep.equal({ a: { approved: true, input: { n: 2 } }, b: false });
    expect(seen).to.include({ opened: 2, closed: 2 });
  });

  it('escapes control characters in prompts but keeps line breaks', async () => {
    const { put, shows } = fakeTerminal();
    put('a', undefined, { ...question('a'), prompt: 'one\n\u001b[2Jtwo' });
    await shows('one\n\\u{1b}[2Jtwo [y/N, e: edit] ');
  });

  it('answers no and logs it without a terminal', () => {
    const ask = createAskTerminal(() => undefined);
    const answers: Answer[] = [];
    const put = () => ask(question('a'), { signal: new AbortController().signal }) as Observable<Answer>;
    for (let index = 0; index < 2; index += 1) put().subscribe((answer) => void answers.push(answer));
    const no = { approved: false, reason: 'no approver available: there is no terminal' };
    expect(answers).to.deep.equal([no, no]);
  });

  it('answers no when the terminal closes or fails, and continues with the next prompt', async () => {
    const { input, seen, put, shows } = fakeTerminal();
    put('a');
    put('b');
    put('c');
    await shows('Run a?');
    input.emit('error', new Error('hung up'));
    await shows('Run b?');
    input.end();
    await until(() => seen.done.length === 3);
    expect(seen.answers['a']).to.have.property('reason').that.includes('hung up');
    for (const tool of ['b', 'c']) expect(seen.answers[tool]).to.have.property('reason').that.includes('closed');
    expect(seen).to.include({ opened: 3, closed: 3 });
  });

  it('answers no when the prompt cannot be shown', async () => {
    const broken = createAskTerminal(() => ({
      input: new PassThrough(),
      write: () => {
        throw new Error('EIO');
      },
      close: () => {},
    }));
    const answer$ = broken(question('a'), { signal: new AbortController().signal }) as Observable<Answer>;
    const answer = await new Promise<Answer>((resolve) => answer$.subscribe(resolve));
    expect(answer).to.have.property('reason').that.includes('EIO');
  });
});

const script = spawnSync('script', ['--version'], { encoding: 'utf8' });
const hasScript = script.status === 0 && script.stdout.includes('util-linux');
const onPty = hasScript ? it : it.skip;
const missing = hasScript ? '' : ' (skipped: needs `script` of util-linux)';

describe('askTerminal on a pseudo-terminal', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Runs a scenario of the child process on a separate terminal, with `stdin` as its stdin. */
  function start(scenario: string, stdin = '</dev/null') {
    const program = join(__dirname, 'ask-terminal.child.ts');
    const command = `exec "${process.execPath}" -C hookline:source -r ts-node/register "${program}" ${scenario} ${stdin}`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      stdio: 'pipe',
      env: { ...process.env, SHELL: '/bin/sh' },
    });
    children.push(child);
    const terminal = { text: '' };
    child.stdout.on('data', (data) => {
      terminal.text += data;
    });
    const ended = once(child, 'exit');
    return {
      terminal,
      type: (text: string) => void child.stdin.write(text),
      shows: (text: string) => until(() => terminal.text.includes(text)),
      code: async () => (await ended)[0] as number,
    };
  }

  onPty(`asks on the terminal although stdin is not one, and leaves no open handle${missing}`, async () => {
    const { terminal, type, shows, code } = start('two');
    await shows('Run first? [y/N, e: edit] ');
    type('y\n');
    await shows('<first: true>');
    await shows('Run second? [y/N, e: edit] ');
    type('n\n');
    expect(await code()).to.equal(0);
    expect(terminal.text).to.include('<second: false>');
  });

  onPty(`discards input typed ahead, including a partial line${missing}`, async () => {
    const { terminal, type, shows, code } = start('late');
    await shows('<busy>');
    type('y\ny');
    await shows('Run first? [y/N, e: edit] ');
    await sleep(50);
    expect(terminal.text).to.not.include('<first');
    type('\n');
    expect(await code()).to.equal(0);
    expect(terminal.text).to.include('<first: false>');
  });

  onPty(`keeps input for a retracted prompt from the next prompt${missing}`, async () => {
    const { terminal, type, shows, code } = start('withdrawn');
    await shows('Run first? [y/N, e: edit] ');
    type('y');
    await shows('<first done>');
    await shows('Run second? [y/N, e: edit] ');
    type('\n');
    expect(await code()).to.equal(0);
    expect(terminal.text).to.include('<second: false>').and.not.include('<first:');
  });

  onPty(`leaves Ctrl-C to the process${missing}`, async () => {
    const { terminal, type, shows, code } = start('interrupted');
    await shows('Run first? [y/N, e: edit] ');
    type('\u0003');
    expect(await code()).to.equal(7);
    expect(terminal.text).to.include('<SIGINT>').and.not.include('<first');
  });

  onPty(`hides its answer from a host that reads the same terminal, and releases the terminal${missing}`, async () => {
    const { terminal, type, shows, code } = start('readline', '');
    await shows('Run first? [y/N, e: edit] ');
    type('yes\n');
    await shows('<first: true>');
    await sleep(30);
    expect(terminal.text).to.include('<host paused: true>').and.not.include('<host: ');
    // Line mode: the terminal echoes and Ctrl-C is a signal.
    expect(terminal.text).to.include('[y/N, e: edit] yes\r\n');
    type('q');
    expect(await code()).to.equal(0);
    expect(terminal.text).to.include('<host: "q">');
  });

  it('answers no and logs it in a process without a terminal', function () {
    const setsid = spawnSync('setsid', ['--version']).status === 0;
    if (!setsid) {
      console.log('      passed over: there is no setsid to leave the terminal with');
      this.skip();
    }
    const program = join(__dirname, 'ask-terminal.child.ts');
    const args = ['-w', process.execPath, '-C', 'hookline:source', '-r', 'ts-node/register', program, 'two'];
    const { stdout, status } = spawnSync('setsid', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(status).to.equal(0);
    expect(stdout.match(/there is no terminal/g)).to.have.lengthOf(2);
  });
});
