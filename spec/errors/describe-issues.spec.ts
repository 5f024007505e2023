import { expect } from 'chai';
import { z } from 'zod';
import { describeIssues, type OtherNames } from '../../lib/errors/describe-issues.ts';
import { createAgent, createPipeline, defineHook } from '../../lib/index.ts';

const schema = z.strictObject({
  instructions: z.string().optional(),
  nested: z.strictObject({ chunks: z.number() }).optional(),
});

function issues(value: unknown, otherNames?: OtherNames): string {
  const { error } = schema.safeParse(value);
  if (!error) throw new Error('nothing is wrong with it');
  return describeIssues(schema, error, otherNames);
}

describe('describeIssues', () => {
  it('suggests the probable key, with its path', () => {
    expect(issues({ instrutions: '' })).to.equal('✖ unknown key "instrutions", did you mean "instructions"?');
    expect(issues({ nested: { chunks: 1, chunk: 2 } })).to.equal(
      '✖ unknown key "chunk", did you mean "chunks"?\n  → at nested',
    );
  });

  it('lists the known keys if none is similar', () => {
    expect(issues({ colour: 1 })).to.equal('✖ unknown key "colour"; there are instructions, nested');
  });

  it('recognizes key names of other libraries, except for unknown keys', () => {
    expect(issues({ systemPrompt: '' }, { systemPrompt: 'instructions' })).to.contain('did you mean "instructions"?');
    expect(issues({ nested: { chunks: 1, systemPrompt: '' } }, { systemPrompt: 'instructions' })).to.contain(
      'unknown key "systemPrompt"; there are chunks',
    );
    expect(issues(JSON.parse('{ "constructor": 1 }'))).to.contain('unknown key "constructor"; there are');
  });

  it("keeps zod's messages of other issues", () => {
    expect(issues({ instructions: 1 })).to.equal(
      '✖ Invalid input: expected string, received number\n  → at instructions',
    );
  });
});

describe('an unknown key', () => {
  const wrong = (value: object): never => value as never;

  it('is reported with the nearest one by defineHook, createAgent and createPipeline', () => {
    const model = () => [] as never;
    expect(() => defineHook(wrong({ name: 'h', on: { PreToolUse() {} } }))).to.throw('did you mean "preActing"?');
    expect(() => defineHook(wrong({ name: 'h', obsrve() {} }))).to.throw('did you mean "observe"?');
    expect(() => createAgent(wrong({ name: 'a', model, systemPrompt: '' }))).to.throw('did you mean "instructions"?');
    expect(() => createPipeline([], wrong({ logger: console }))).to.throw('did you mean "log"?');
  });
});
