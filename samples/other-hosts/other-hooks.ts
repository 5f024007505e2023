// Hooks that were written for other hosts, as they are: a PicoClaw process hook that brings a tool, and a Claude Code settings file.
import { join } from 'node:path';
import { createAgent, createPipeline } from 'hookline';
import { claudeHooks, processHook } from 'hookline/process-hooks';
import { scriptedModel } from 'hookline/testing';

const weather = processHook({
  name: 'weather',
  command: [process.execPath, join(__dirname, '../weather-plugin/weather-plugin.mjs')],
  intercept: ['before_llm', 'before_tool'],
});
const settings = claudeHooks({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "Answer in one sentence."' }] }] },
});

const model = scriptedModel([
  { toolCalls: [{ name: 'get_weather', input: { city: 'Beijing' } }] },
  'It is sunny in Beijing, at 15 degrees.',
]);
const agent = createAgent({ name: 'guide', model, pipeline: createPipeline([settings, weather]) });

agent.run('How is the weather in Beijing?').subscribe({
  next: (event) => {
    if (event.type === 'preCall')
      console.log(
        'asked:',
        event.messages
          .map(({ parts }) => parts[0])
          .map((part) => part?.type === 'text' && part.text)
          .join(' '),
      );
    if (event.type === 'postActing') console.log(`${event.toolCall.name}: ${event.result.content}`);
    if (event.type === 'reasoningChunk') process.stdout.write(event.last ? '\n' : event.delta);
  },
  complete: () => void Promise.all([weather.stop(), settings.close()]),
});
