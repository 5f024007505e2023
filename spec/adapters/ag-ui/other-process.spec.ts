import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempFolder } from '../../temp-folder.ts';

const root = join(__dirname, '../../..');
const program = join(root, 'spec/fixtures/ag-ui/answer-once.ts');

/** The answer of a separate process to a request, before it ends. */
async function answerOf(folder: string, body: object, ...turns: object[]): Promise<string> {
  const flags = ['-C', 'hookline:source', '-r', 'ts-node/register'];
  const given = [folder, JSON.stringify(body), ...turns.map((turn) => JSON.stringify(turn))];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, ...given], { cwd: root });
  return stdout;
}

const eventsIn = (text: string) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));

describe('a pending call on AG-UI', () => {
  it('is answered once in another process among concurrent attempts', async function () {
    this.timeout(120_000);
    const folder = tempFolder('ag-ui-process');
    const asked = { threadId: 't1', messages: [{ id: 'm1', role: 'user', content: 'Pay.' }] };
    const pay = { toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5 } }] };
    const [interrupt] = eventsIn(await answerOf(folder, { ...asked, runId: 'r1' }, pay)).at(-1).outcome.interrupts;
    const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }];
    const answer = (runId: string) => answerOf(folder, { ...asked, runId, resume }, { text: 'Done.' });
    const answers = await Promise.all([answer('r2'), answer('r3')]);
    const won = answers.filter((text) => text.includes('STEP_STARTED'));
    expect(won, answers.join('\n')).to.have.length(1);
    const result = eventsIn(won[0] as string).find(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(result).to.include({ toolCallId: 'c1' });
    expect(result.content).to.match(/^paid by \d+$/);
    const lost = eventsIn(answers.find((text) => text !== won[0]) as string);
    // The other process may have finished by then.
    expect(lost.at(-1).type).to.be.oneOf(['RUN_ERROR', 'RUN_FINISHED']);
    if (lost.at(-1).type === 'RUN_FINISHED')
      expect(JSON.stringify(lost.at(-2)))
        .to.include('MESSAGES_SNAPSHOT')
        .and.include(result.content);
  });
});
