import { expect } from 'chai';
import * as testing from '../../lib/testing/index.ts';

describe('hookline/testing', () => {
  it('exports the kit for specs only', () => {
    expect(Object.keys(testing)).to.have.members([
      'anEvent',
      'bareContract',
      'describeEvent',
      'hookContract',
      'kindContract',
      'loopContract',
      'marbles',
      'recordedRun',
      'recordedSpec',
      'recorder',
      'scriptSchema',
      'scriptedModel',
      'scriptedTool',
      'toolCall',
      'transcriptStoreContract',
    ]);
  });
});
