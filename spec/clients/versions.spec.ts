import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(__dirname, 'node_modules', name, 'package.json'), 'utf8')).version;

describe('the clients of the wire protocols', () => {
  it('are the supported versions', () => {
    expect(['@ag-ui/client', '@ag-ui/core', 'ai5', 'ai6', 'ai6latest'].map(versionOf)).to.deep.equal([
      '1.0.0',
      '1.0.0',
      '5.0.0',
      '6.0.0',
      '6.0.326',
    ]);
    expect(versionOf('ai7')).to.match(/^7\./);
  });

  it('load together', async () => {
    const clients = [import('@ag-ui/client'), import('ai5'), import('ai6'), import('ai6latest'), import('ai7')];
    for (const client of await Promise.all(clients)) expect(Object.keys(client)).not.to.have.length(0);
  });
});
