import { expect } from 'chai';
import { anEvent } from 'hookline/testing';
import { takeBeforeTool } from '../../../lib/process-hooks/picoclaw/before-tool.ts';
import { processHookOptionsSchema } from '../../../lib/process-hooks/picoclaw/options.ts';

/** What a reply to before_tool comes to, and what is said of it. */
function take(reply: object) {
  const told: string[] = [];
  const { dialect } = processHookOptionsSchema.parse({ name: 'h', command: ['x'] });
  const event = anEvent.preActing('t');
  const next = takeBeforeTool(event, reply, { dialect, diagnose: (code, message) => told.push(`${code}: ${message}`) });
  return { decision: next?.decision, told };
}

describe('a reply to before_tool', () => {
  it('that answers without a word we know is told how to say it', () => {
    const { decision, told } = take({ action: 'respond', result: { content: 'sunny' } });
    expect(decision).to.deep.include({ action: 'respond', result: { content: '', isError: false } });
    expect(told.join()).to.match(/nothing-recognised: .*content, which has no effect; set result\.for_llm/);
  });

  it('may answer with nothing, or in any case of letters', () => {
    for (const result of [{}, { For_LLM: 'sunny' }, { silent: true }])
      expect(take({ action: 'respond', result }).told).to.deep.equal([]);
  });
});
