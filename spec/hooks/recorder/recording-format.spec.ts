import { expect } from 'chai';
import {
  RECORDING_VERSION,
  recordingHeadSchema,
  recordingLineSchema,
  traceStepSchema,
} from '../../../lib/hooks/recorder/recording-format.ts';

/** All formats so far. A released format never changes. */
const formats: Readonly<Record<number, string>> = {
  1: `format version events run redacted hookline hooks
event same steps
lost
hook priority stage effect paths changes decision reason ms
path before after cut`,
};

describe('the format of recordings', () => {
  it('changes its fields only with a new version', () => {
    const change = traceStepSchema.shape.changes.unwrap().element;
    const schemas = [recordingHeadSchema, ...recordingLineSchema.options, traceStepSchema, change];
    const members = schemas.map(({ shape }) => Object.keys(shape).join(' ')).join('\n');
    expect(members).to.equal(formats[RECORDING_VERSION]);
  });
});
