import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from './cli/hookline.ts';
import { tempFolder } from './temp-folder.ts';

const files = {
  'index.d.ts': `export { type A, a, type Renamed as C } from './barrel.js';\n`,
  'barrel.d.ts': `export { a, type A, type Unused } from './a.js';\nexport type { Other as Renamed } from './other.js';\n`,
  'a.d.ts': `import type { B, Gone } from './b.js';
import * as all from './other.js';
import { Far } from './far.js';
/** It stays. */
export interface A extends B {
	readonly at: import('./typed.js').Typed;
}
/** It goes. */
export interface Unused {
	readonly gone: Gone;
	readonly far: Far;
	readonly all: all.Other;
}
export declare const a: A;
`,
  'b.d.ts': `type Hidden = string;\nexport interface B {\n	hidden: Hidden;\n}\nexport type Gone = number;\nexport {};\n`,
  'other.d.ts': `export type Other = 1;\n`,
  'typed.d.ts': `export type Typed = 1;\n`,
  'far.d.ts': `export declare class Far {\n}\n`,
};

describe('pruneTypes', () => {
  it('keeps the declarations that an export leads to, with their comments and imports', async () => {
    const at = tempFolder('types');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
    // The compiler would replace an import with require().
    const load = new Function('url', 'return import(url)') as (url: string) => Promise<{ pruneTypes: PruneTypes }>;
    const { pruneTypes } = await load(pathToFileURL(join(root, 'lib/prune-types.mjs')).href);
    pruneTypes(
      [join(at, 'index.d.ts')],
      Object.keys(files).map((name) => join(at, name)),
    );
    const left = Object.keys(files).map((name) => [
      name,
      existsSync(join(at, name)) ? readFileSync(join(at, name), 'utf8') : '(removed)',
    ]);
    expect(Object.fromEntries(left)).to.deep.equal({
      'index.d.ts': files['index.d.ts'],
      'barrel.d.ts': `export { a, type A } from './a.js';\nexport type { Other as Renamed } from './other.js';\n`,
      'a.d.ts': `import type { B } from './b.js';
/** It stays. */
export interface A extends B {
	readonly at: import('./typed.js').Typed;
}
export declare const a: A;
`,
      'b.d.ts': 'type Hidden = string;\nexport interface B {\n	hidden: Hidden;\n}\nexport {};\n',
      'other.d.ts': files['other.d.ts'],
      'typed.d.ts': files['typed.d.ts'],
      'far.d.ts': '(removed)',
    });
  });
});

type PruneTypes = (entries: readonly string[], files: readonly string[]) => void;
