import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { processHook } from 'hookline/process-hooks';
import { scriptedModel } from 'hookline/testing';

const folder = join(__dirname, '../../../samples/weather-plugin');
const programs = {
  python3: ['python3', join(folder, 'weather_plugin.py')],
  node: [process.execPath, join(folder, 'weather-plugin.mjs')],
};

/** Long enough for a busy machine. */
const timeouts = { helloMs: 60_000, interceptorMs: 60_000 };

describe('the weather plugin', () => {
  for (const [what, command] of Object.entries(programs)) {
    it(`provides its tool and responds to it, in ${what}`, async function () {
      if (spawnSync(command[0] as string, ['--version']).error) {
        console.log(`      ${what} is not installed; this spec needs it`);
        this.skip();
      }
      const plugin = processHook({ name: 'weather', command, intercept: ['before_llm', 'before_tool'], timeouts });
      const model = scriptedModel([
        { toolCalls: [{ name: 'get_weather', input: { city: 'Beijing' } }] },
        'It is sunny.',
      ]);
      const agent = createAgent({ name: 'a', model, pipeline: createPipeline([plugin]) });
      try {
        const end = await agent.call('How is the weather in Beijing?');
        expect(end.outcome).to.equal('completed');
        expect(model.requests[0]?.tools?.map(({ name }) => name)).to.deep.equal(['get_weather']);
        const told = model.requests[1]?.messages.at(-1)?.parts[0];
        expect(told?.type === 'toolResult' && told.result.content).to.equal('Beijing: sunny, 15 degrees');
      } finally {
        await plugin.stop();
      }
    });
  }
});
