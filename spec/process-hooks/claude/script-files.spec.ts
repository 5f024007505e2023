import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { type Message, textOf, userMessage } from 'hookline';
import { createScriptFiles } from '../../../lib/process-hooks/claude/script-files.ts';

/** The text of each line. */
function textsIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).message.content[0].text);
}

describe('the files for scripts', () => {
  it('give each session a file of its own, also when their names look the same in a file name', () => {
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

  it('add what is new to a conversation, and touch nothing where nothing is', () => {
    const files = createScriptFiles();
    try {
      const messages = [userMessage('one'), userMessage('zwölf €')];
      const longer = [...messages, userMessage('three')];
      const path = files.transcript('s', messages);
      // A byte that was turned stays turned where the file is only added to.
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
    'by going back': [one],
    'by telling the same again': [one, two, one, two],
    'in its order': [two, one, three],
    'to nothing': [],
  })) {
    it(`write a conversation anew that was changed ${what}`, () => {
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

  it('write a conversation anew whose file a script has removed, or has written into', () => {
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

  it('write each message of a long conversation once', () => {
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

  it('leave nothing behind when they are removed', () => {
    const files = createScriptFiles();
    const path = files.transcript('s', []);
    expect(existsSync(path)).to.equal(true);
    files.remove();
    expect(existsSync(path)).to.equal(false);
  });
});
