import { expect } from 'chai';
import * as testing from '../../lib/testing/index.ts';

describe('hookline/testing', () => {
  it('exports the marble kit only', () => {
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
    ]);
  });
});
