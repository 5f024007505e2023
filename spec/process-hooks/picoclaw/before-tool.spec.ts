import { expect } from 'chai';
import { anEvent } from 'hookline/testing';
import { takeBeforeTool } from '../../../lib/process-hooks/picoclaw/before-tool.ts';
import { processHookOptionsSchema } from '../../../lib/process-hooks/picoclaw/options.ts';

/** Result of a reply to before_tool, with its notices. */
function take(reply: object) {
  const told: string[] = [];
  const { dialect } = processHookOptionsSchema.parse({ name: 'h', command: ['x'] });
  const event = anEvent.preActing('t');
  const next = takeBeforeTool(event, reply, { dialect, diagnose: (code, message) => told.push(`${code}: ${message}`) });
  return { decision: next?.decision, told };
}

describe('a reply to before_tool', () => {
  it('is reported, with a hint, if it contains no known field', () => {
    const { decision, told } = take({ action: 'respond', result: { content: 'sunny' } });
    expect(decision).to.deep.include({ action: 'respond', result: { content: '', isError: false } });
    expect(told.join()).to.match(/nothing-recognised: .*content, which has no effect; set result\.for_llm/);
  });

  it('may be empty or have field names in any case', () => {
    for (const result of [{}, { For_LLM: 'sunny' }, { silent: true }])
      expect(take({ action: 'respond', result }).told).to.deep.equal([]);
  });
});
