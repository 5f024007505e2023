import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAgent, createPipeline, type JsonObject } from 'hookline';
import { recordedSpec, scriptedModel, scriptedTool } from 'hookline/testing';
import * as ts from 'typescript';
import { randomRecording, recordPlan } from '../replay/random-recording.ts';
import { recordingFileIn, recordingIn } from '../replay/recording-in.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 500 : 30;
const root = join(__dirname, '../..');

/** Runs specs with mocha. They are inside of the package, so that they find it by its name. */
async function run(texts: readonly string[], work: (output: string) => void): Promise<void> {
  mkdirSync(join(root, 'spec/.fixtures'), { recursive: true });
  const folder = mkdtempSync(join(root, 'spec/.fixtures/'));
  try {
    texts.forEach((text, index) => {
      writeFileSync(join(folder, `run-${index}.spec.ts`), text);
    });
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const flags = ['-C', 'hookline:source', '-r', 'ts-node/register', mocha, '--no-config', '--reporter', 'dot'];
    const child = promisify(execFile)(process.execPath, [...flags, `${folder}/*.spec.ts`], { cwd: root });
    work(
      await child.then(
        ({ stdout }) => stdout,
        (thrown) => `${thrown.stdout}${thrown.stderr}`,
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('recordedSpec', () => {
  it(`is green at once for any recording, ${RUNS} times`, async function () {
    this.timeout(0);
    const plans = fc.sample(randomRecording, RUNS);
    const texts: string[] = [];
    for (const plan of plans) {
      const { file, folder } = await recordPlan(plan, { raw: false, redact: true });
      texts.push(recordedSpec(file));
      rmSync(folder, { recursive: true });
    }
    await run(texts, (output) => expect(output).to.match(new RegExp(`\\n  ${RUNS} passing`)));
  });

  it('contains recorded values as data only, and is red if an event differs', async () => {
    const nasty = "`${process.exit(7)}` */ // \u2028 \u202e \u2800 \u{e0041} </script> \\\" \u0000 '+1+'";
    const key = `AKIA${'Z7QWMX4T2NB5RKLD'}`;
    const { folder, recorder } = recordingIn();
    const agent = createAgent({
      name: nasty,
      model: scriptedModel([
        {
          text: nasty,
          toolCalls: [
            { name: 'look', input: JSON.parse(`{"__proto__":{"polluted":true},"k":"${key}"}`) as JsonObject },
          ],
        },
        nasty,
      ]),
      tools: [scriptedTool({ name: 'look', description: nasty, permission: 'read', result: nasty })],
      pipeline: createPipeline([recorder]),
      instructions: nasty,
    });
    await agent.call(nasty);
    const text = recordedSpec(recordingFileIn(folder));
    expect(text)
      .to.not.include(key)
      .and.not.match(/[\u2028\u202e\u2800\u{e0041}]/u);
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics).to.deep.equal([]);
    const broken = text.replace('"0 |"', '"1 |"');
    expect(broken).to.not.equal(text);
    await run([text, broken], (output) => expect(output).to.match(/1 passing[\s\S]*1 failing/));
  });
});
