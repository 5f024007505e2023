import { expect } from 'chai';
import {
  RECORDING_VERSION,
  recordingHeadSchema,
  recordingLineSchema,
  traceStepSchema,
} from '../../../lib/hooks/recorder/recording-format.ts';

/** The formats that there were: one that has been released stays as it is. */
const formats: Readonly<Record<number, string>> = {
  1: `format version events run redacted
event same steps
lost
hook priority stage effect paths changes decision reason ms
path before after cut`,
};

describe('the format of recordings', () => {
  it('has the members of its version: with others it is a new one', () => {
    const change = traceStepSchema.shape.changes.unwrap().element;
    const schemas = [recordingHeadSchema, ...recordingLineSchema.options, traceStepSchema, change];
    const members = schemas.map(({ shape }) => Object.keys(shape).join(' ')).join('\n');
    expect(members).to.equal(formats[RECORDING_VERSION]);
  });
});
