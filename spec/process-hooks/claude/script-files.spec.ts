import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { type Message, textOf, userMessage } from 'hookline';
import { createScriptFiles as create } from '../../../lib/process-hooks/claude/script-files.ts';
import { tempFolder } from '../../temp-folder.ts';

/** The text of each line. */
function textsIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).message.content);
}

/** Files whose conversations are not in use after they are written. */
function createScriptFiles() {
  const files = create();
  const transcript = (sessionId: string, messages: readonly Message[], read = true): string => {
    const path = files.transcript(messages, { sessionId, cwd: '/', sidechain: false, tools: {} });
    if (read) files.done(sessionId);
    return path;
  };
  return { ...files, transcript };
}

describe('files for scripts', () => {
  it('gives each session a separate file, even if names look the same', () => {
    const files = createScriptFiles();
    try {
      const sessions = ['张三', '李四', '__', 'Team', 'team', `${'x'.repeat(120)}1`, `${'x'.repeat(120)}2`];
      const write = (session: string) => files.transcript(session, [userMessage(`of ${session}`)]);
      const paths = sessions.map(write);
      expect(new Set(paths.map((path) => path.toLowerCase())).size).to.equal(sessions.length);
      for (const [place, path] of paths.entries())
        expect(readFileSync(path, 'utf8')).to.include(`of ${sessions[place]}"`);
      expect(sessions.map(write)).to.deep.equal(paths);
      expect(basename(paths[3] ?? '')).to.equal('Team.jsonl');
    } finally {
      files.remove();
    }
  });

  it('appends only new messages, and nothing without them', () => {
    const files = createScriptFiles();
    try {
      const messages = [userMessage('one'), userMessage('zwölf €')];
      const longer = [...messages, userMessage('three')];
      const path = files.transcript('s', messages);
      // Appending keeps a changed byte.
      writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'eno'));
      files.transcript('s', messages);
      files.transcript('s', longer);
      files.transcript('s', longer);
      expect(textsIn(path)).to.deep.equal(['eno', 'zwölf €', 'three']);
    } finally {
      files.remove();
    }
  });

  const one = userMessage('one');
  const two = userMessage('two');
  const three = userMessage('three');
  for (const [what, later] of Object.entries({
    'in the middle': [one, userMessage('other'), three],
    'at its beginning': [userMessage('summary'), two, three, userMessage('four')],
    'by a rollback': [one],
    'by repeated messages': [one, two, one, two],
    'in its order': [two, one, three],
    'to nothing': [],
  })) {
    it(`rewrites a conversation that was changed ${what}`, () => {
      const files = createScriptFiles();
      try {
        const path = files.transcript('s', [one, two, three]);
        for (const next of [later, [...later, userMessage('next')]]) {
          files.transcript('s', next);
          expect(textsIn(path)).to.deep.equal(next.map(textOf));
        }
      } finally {
        files.remove();
      }
    });
  }

  it('rewrites a conversation whose file a script removed or changed', () => {
    const files = createScriptFiles();
    try {
      const path = files.transcript('s', [one]);
      appendFileSync(path, 'scribble');
      files.transcript('s', [one, two]);
      expect(textsIn(path)).to.deep.equal(['one', 'two']);
      rmSync(path);
      files.transcript('s', [one, two]);
      expect(textsIn(path)).to.deep.equal(['one', 'two']);
    } finally {
      files.remove();
    }
  });

  it('writes each message of a long conversation once', () => {
    const files = createScriptFiles();
    let made = 0;
    const counted = (text: string): Message => {
      const message = userMessage(text);
      return {
        role: message.role,
        get parts() {
          made += 1;
          return message.parts;
        },
      } as Message;
    };
    try {
      const messages: Message[] = [];
      for (let index = 0; index < 200; index += 1) {
        messages.push(counted(`message ${index}`));
        files.transcript('s', [...messages]);
      }
      expect(made).to.equal(200);
    } finally {
      files.remove();
    }
  });

  it('leaves nothing after removal', () => {
    const files = createScriptFiles();
    const path = files.transcript('s', []);
    expect(existsSync(path)).to.equal(true);
    files.remove();
    expect(existsSync(path)).to.equal(false);
  });

  it('keeps at most a hundred conversations, and any that is in use', () => {
    const files = createScriptFiles();
    try {
      const busy = files.transcript('busy', [one], false);
      const paths = Array.from({ length: 150 }, (_, place) => files.transcript(`s${place}`, [one]));
      expect(paths.filter((path) => existsSync(path))).to.deep.equal(paths.slice(-99));
      expect(existsSync(busy)).to.equal(true);
      files.done('busy');
      expect(textsIn(files.transcript('s0', [one, two]))).to.deep.equal(['one', 'two']);
      expect(existsSync(busy)).to.equal(false);
    } finally {
      files.remove();
    }
  });

  it('limits the size of long conversations and texts', () => {
    const files = createScriptFiles();
    try {
      const long = userMessage('x'.repeat(1 << 24));
      const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((session) => files.transcript(session, [long]));
      expect(paths.filter((path) => existsSync(path))).to.deep.equal(paths.slice(-3));
      const texts = Array.from(
        { length: 120 },
        (_, place) => /the full text is in (.*)\]$/.exec(files.bounded(`${place}${'y'.repeat(10_001)}`))?.[1] ?? '',
      );
      expect(texts.filter((path) => existsSync(path))).to.deep.equal(texts.slice(-100));
    } finally {
      files.remove();
    }
  });

  for (const [how, end] of [
    ['by itself', ''],
    ['by process.exit', 'process.exit(3);'],
    ['by an error', 'throw new Error("end");'],
  ] as const)
    it(`removes files when the process ends ${how}`, () => {
      const [path = '', there] = inProcess(`process.stdout.write(path + ' ' + existsSync(path)); ${end}`).split(' ');
      expect([there, existsSync(dirname(path))]).to.deep.equal(['true', false]);
    });

  it('removes files of a killed process later, but not those of others', () => {
    const folder = tempFolder('stale');
    const dead = spawnSync('true').pid;
    const make = (pid: number, hours: number) => {
      const made = mkdtempSync(join(folder, `hookline-claude-${pid}-`));
      const then = new Date(Date.now() - hours * 3_600_000);
      utimesSync(made, then, then);
      return made;
    };
    const folders = [make(dead, 2), make(dead, 0), make(process.ppid, 2)];
    inProcess('', folder);
    expect(folders.map((one) => existsSync(one))).to.deep.equal([false, true, true]);
  });

  it('removes files of a killed process despite unreadable neighbours', () => {
    const folder = tempFolder('stale');
    const dead = spawnSync('true').pid;
    // A folder that another process removes meanwhile cannot be read, like a broken link.
    for (const end of ['a', 'z']) symlinkSync('nowhere', join(folder, `hookline-claude-${dead}-${end}`));
    const stale = join(folder, `hookline-claude-${dead}-m`);
    mkdirSync(stale);
    utimesSync(stale, 0, 0);
    inProcess('', folder);
    expect(existsSync(stale)).to.equal(false);
  });
});

/** Output of a separate process that creates a file at `path`. The first folder of a process removes old folders of others. */
function inProcess(then: string, folder = tmpdir()): string {
  const code = `const { existsSync } = require('node:fs');
    const { createScriptFiles } = require('./lib/process-hooks/claude/script-files.ts');
    const path = createScriptFiles().transcript([], { sessionId: 's', cwd: '/', sidechain: false, tools: {} });
    ${then}`;
  const { stdout } = spawnSync(process.execPath, ['-C', 'hookline:source', '-r', 'ts-node/register', '-e', code], {
    encoding: 'utf8',
    cwd: join(__dirname, '../../..'),
    env: { ...process.env, TMPDIR: folder },
  });
  return stdout;
}
