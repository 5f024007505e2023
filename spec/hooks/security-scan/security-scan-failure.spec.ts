import { expect } from 'chai';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/security-scan/security-scan.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Redactor } from '../../../lib/redaction/redactor.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';
import { SECRET, standInRedactor } from '../stand-in-redactor.ts';

const TOKEN = 'glpat-Zx81kQ2mWv7RtY3nLp0s';
const quoting = (text: string): never => {
  throw new Error(`cannot store ${text}`);
};

async function play(options: SecurityScanOptions, turns: Parameters<typeof scriptedModel>[0], printed = 'ok') {
  const model = scriptedModel(turns);
  const env = scriptedTool({ name: 'env', chunks: [printed] });
  const agent = createAgent({ name: 'agent', model, tools: [env], pipeline: createPipeline([securityScan(options)]) });
  const shown: SettledEvent[] = [];
  const thrown = await new Promise((resolve) => {
    agent.run('go').subscribe({ next: (event) => void shown.push(event), error: resolve, complete: () => resolve(0) });
  });
  // RxJS reports uncaught errors in the next turn, and mocha then fails.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { shown, thrown, end: shown.at(-1) as SettledEvent & { type: 'postCall' } };
}

/** The stand-in with a failing stream method that throws its input. */
function broken(member: 'write' | 'end' | 'findings'): Redactor {
  return {
    redact: (text) => standInRedactor.redact(text),
    stream(options) {
      const stream = standInRedactor.stream(options);
      const text: string[] = [];
      const fail = () => quoting(text.join(''));
      return {
        write(piece) {
          text.push(piece);
          return member === 'write' ? fail() : stream.write(piece);
        },
        end: () => (member === 'end' ? fail() : stream.end()),
        abort: () => stream.abort(),
        get findings() {
          return member === 'findings' ? fail() : stream.findings;
        },
      };
    },
  };
}

describe('securityScan with a failing scanner', () => {
  for (const member of ['write', 'end', 'findings'] as const) {
    for (const policies of [{}, { text: 'report' }, { text: 'block' }] as const) {
      // The block policy has already ended the run.
      if (member === 'end' && 'text' in policies && policies.text === 'block') continue;
      it(`fails the answer closed without quoting text: ${member}, ${JSON.stringify(policies)}`, async () => {
        const { shown, end } = await play({ redactor: broken(member), policies }, [{ chunks: [`see ${SECRET} !`] }]);
        expect(end.outcome).to.equal('failed');
        const error = shown.find((event) => event.type === 'error');
        expect(error).to.include({ source: 'hook', hook: 'security-scan' });
        expect(JSON.stringify(error)).to.include('The scanner failed').and.not.include('xy12').and.not.include('store');
      });
    }
  }

  it('fails closed for a vault that throws, in answers, tool output and whole messages', async () => {
    const vault = { tokenFor: quoting, valueOf: () => undefined };
    const options = { mode: 'token', vault } as const;
    const answer = await play(options, [{ chunks: ['It is ', `${TOKEN} `, 'then'] }]);
    expect(answer.end.outcome).to.equal('failed');
    const tool = await play(options, [{ toolCalls: [{ name: 'env', input: {} }] }, { text: 'done' }], `x ${TOKEN} y`);
    expect(tool.end.outcome).to.equal('failed');
    const context = await play({ ...options, policies: { prompt: 'redact', text: 'off' } }, [{ text: TOKEN }]);
    for (const { shown } of [answer, tool, context]) {
      const errors = shown.filter(({ type }) => type === 'error');
      expect(JSON.stringify(errors)).to.not.include('cannot store').and.not.include('Zx81');
    }
  });
});
