import * as Module from 'node:module';
import { expect } from 'chai';
import { loadEngine } from '../../../lib/hooks/full-text/load-engine.ts';
import { rag } from '../../../lib/hooks/rag/rag.ts';

describe('loadEngine', () => {
  it('returns the class of the engine', () => {
    const Engine = loadEngine('spec');
    expect(new Engine({ fields: ['text'] }).documentCount).to.equal(0);
  });

  it('names the package to install if the engine is missing, when a hook needs it', () => {
    const loader = (Module as unknown as { default: { _load: (name: string, ...more: unknown[]) => unknown } }).default;
    const { _load: load } = loader;
    loader._load = (name, ...more) => {
      if (name === 'minisearch') throw new Error('Cannot find module');
      return load.call(loader, name, ...more);
    };
    try {
      expect(() => rag({ folder: '.' }))
        .to.throw('The hook "rag" needs the package minisearch for text search. Run: npm install minisearch.')
        .with.property('code', 'OPTIONS_INVALID');
      expect(() => rag({ retriever: () => [] })).not.to.throw();
    } finally {
      loader._load = load;
    }
  });
});
