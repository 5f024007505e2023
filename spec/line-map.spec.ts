import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

/** A native import, because the module is no CommonJS. */
const load: (url: string) => Promise<{ lineMap(map: object): { mappings: string } }> = new Function(
  'url',
  'return import(url)',
) as never;

describe('the line maps of the build', () => {
  it('have the first place of each line of the source, anew in each line of the code', async () => {
    const { lineMap } = await load(pathToFileURL(join(__dirname, '../lib/line-map.mjs')).href);
    // Two places of line 0 and one of line 1, then a line of the code that still belongs to line 1.
    const { mappings } = lineMap({ sources: ['a.ts'], mappings: 'AAAA,GAAG,GACA;AAAA' });
    expect(mappings).to.equal('AAAA,MACA;AAAA');
  });
});
