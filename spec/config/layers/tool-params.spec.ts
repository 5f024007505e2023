import { expect } from 'chai';
import { createHookConfigs, createLiveHooks, formatPath, loadConfig, memoryStore } from 'hookline/config';
import { written } from '../read.ts';

const identity = { type: 'tool-params', options: { params: [{ tools: ['mail_*'], fromRun: { user: 'userId' } }] } };
const params = [{ tools: ['mail_*'], add: { user: 'alice' } }];

describe('tool-params of a configuration', () => {
  it('is only for files, so that a saved configuration cannot set a user', async () => {
    const live = await createLiveHooks({ files: [written({ 'c.json': { hooks: { identity } } })('c.json')] });
    const configs = createHookConfigs(live, memoryStore());
    try {
      const mine = { hooks: { mine: { type: 'tool-params', options: { params } } } };
      const { issues } = await configs.validate({ user: 'bob' }, JSON.stringify(mine), 'body');
      expect(issues.map(({ path, message }) => `${formatPath(path)}: ${message}`)).to.deep.equal([
        'hooks.mine.options.params: only a configuration file may set this field.',
      ]);
    } finally {
      await live.close();
    }
  });

  it('is not disabled or changed by a later file', () => {
    for (const later of [{ enabled: false }, { options: { params } }]) {
      const at = written({ 'a.json': { hooks: { identity } }, 'b.json': { hooks: { identity: later } } });
      const { config, notices } = loadConfig([at('a.json'), at('b.json')]);
      expect(config.hooks.map(({ written: said }) => said)).to.deep.equal([identity]);
      expect(notices.map(({ path }) => formatPath(path).split('.')[2])).to.deep.equal(Object.keys(later));
    }
  });
});
