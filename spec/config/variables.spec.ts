import { dirname } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from 'hookline/config';
import { read, shown, written } from './read.ts';

const process = (options: object) => ({ type: 'process', options: { command: ['x'], observe: ['*'], ...options } });

describe('a variable in a configuration', () => {
  it('is replaced if the file allows it, and only in used values, not in shown ones', () => {
    const config = { env: ['KEY'], hooks: { p: process({ env: { A: 'a${KEY}b', B: '$${KEY}' } }) } };
    const { config: read_, issues } = read(config, 'c.json', { KEY: 'secret', OTHER: 'x' });
    expect(issues).to.deep.equal([]);
    expect(read_.hooks[0]?.entry.options?.['env']).to.deep.equal({ A: 'asecretb', B: '${KEY}' });
    expect(JSON.stringify(read_.written)).to.include('a${KEY}b').and.not.include('secret');
  });

  it('is an issue with a path, but without its value, if not allowed or not set', () => {
    const config = {
      env: ['UNSET'],
      model: { use: 'offline', apiKey: '${KEY}' },
      hooks: { p: process({ dir: '${UNSET}' }) },
    };
    const told = shown(read(config, 'c.json', { KEY: 'secret-value' }));
    expect(told.map((issue) => issue.replace(/^c\.json:\d+:\d+ /, ''))).to.deep.equal([
      'model.apiKey: the variable KEY is not in "env". Add "KEY" to "env", or write $${KEY} for the literal text.',
      'hooks.p.options.dir: the environment variable UNSET is not set.',
    ]);
  });

  it('is reported if unterminated, because it stays literal', () => {
    const told = (text: string) => {
      const { notices, issues } = read(
        { env: ['A'], hooks: { h: { type: 'prompt-hint', options: { hints: [{ text }] } } } },
        'c.json',
        { A: 'x' },
      );
      expect(issues).to.deep.equal([]);
      return notices.map(({ path, message }) => `${path.join('.')}: ${message}`);
    };
    for (const text of ['${HOME', 'a ${} b', '${A B}'])
      expect(told(text), text).to.deep.equal([
        'hooks.h.options.hints.0.text: is plain text: "${" does not start a variable such as "${NAME}". Write "$${" for a literal "${".',
      ]);
    for (const text of ['${A}', '$${HOME', '$HOME', '{}']) expect(told(text), text).to.deep.equal([]);
  });

  it('is hidden in the issues of its value', () => {
    const config = { env: ['LEVEL'], hooks: { a: { type: 'audit-log', options: { level: '${LEVEL}' } } } };
    const [issue] = shown(read(config, 'c.json', { LEVEL: 'topsecret' }));
    expect(issue).to.include('got "${LEVEL}"').and.not.include('topsecret');
  });
});

describe('a relative path in a configuration', () => {
  it('is relative to the folder of the file', () => {
    const at = written({
      'c.json': {
        workspace: 'w',
        hooks: {
          a: { type: 'audit-log', options: { file: 'log/a.jsonl' } },
          p: process({}),
          q: process({ dir: 'sub' }),
        },
      },
    });
    const folder = dirname(at('c.json'));
    const { config } = loadConfig([at('c.json')]);
    expect(config.settings.workspace).to.equal(`${folder}/w`);
    expect(config.hooks.map(({ entry: { options } }) => options?.['file'] ?? options?.['dir'])).to.deep.equal([
      `${folder}/log/a.jsonl`,
      folder,
      `${folder}/sub`,
    ]);
  });
});
