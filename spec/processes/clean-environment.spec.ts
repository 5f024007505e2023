import { expect } from 'chai';
import { cleanEnvironment } from '../../lib/tools/command/run-command.ts';

const secrets = ['AWS_ACCESS_KEY_ID', 'openai_api_key', 'GITHUB_TOKEN', 'CLIENT_SECRET', 'DB_PASSWORD', 'MYSQL_PWD'];
const more = [
  'PGPASSWD',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'SSH_AUTH_SOCK',
  'HOOKLINE_HOME',
  'GITHUB_PAT',
  'SENTRY_DSN',
];
const plain = ['PATH', 'HOME', 'PWD', 'OLDPWD', 'LANG', 'TERM', 'NODE_ENV', 'USER', 'TMPDIR', 'CI'];

describe('cleanEnvironment', () => {
  const environment = Object.fromEntries([...secrets, ...more, ...plain].map((name) => [name, 'value']));

  it('removes only variables whose names look like secrets', () => {
    expect(Object.keys(cleanEnvironment(environment))).to.have.members(plain);
  });

  it('removes a URL that contains a user', () => {
    const urls = { DATABASE_URL: 'postgres://me:pw@host/db', HOMEPAGE: 'https://example.org/@me' };
    expect(cleanEnvironment(urls)).to.deep.equal({ HOMEPAGE: 'https://example.org/@me' });
  });

  it('keeps allowed variables, and adds extra ones', () => {
    const options = { allow: ['GITHUB_TOKEN'], extra: { API_KEY: 'mine', PATH: '/bin' } };
    expect(cleanEnvironment({ GITHUB_TOKEN: 'a', NPM_TOKEN: 'b', PATH: '/x' }, options)).to.deep.equal({
      GITHUB_TOKEN: 'a',
      API_KEY: 'mine',
      PATH: '/bin',
    });
  });
});
