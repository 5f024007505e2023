// The final answer fits a schema, or the run fails; it is shown field by field while it comes.
import { createAgent, createPipeline } from 'hookline';
import { structuredOutput } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';
import { connectable } from 'rxjs';
import { z } from 'zod';

const Weather = z.object({ city: z.string(), degrees: z.number() });

const weather = structuredOutput(Weather);

const agent = createAgent({
  name: 'reporter',
  model: scriptedModel([
    { toolCalls: [{ name: 'final_answer', input: { city: 'Oslo', degrees: 'warm' } }] },
    { toolCalls: [{ name: 'final_answer', input: { city: 'Oslo', degrees: 18 } }] },
  ]),
  pipeline: createPipeline([weather.hook]),
});

const events$ = connectable(agent.run('What is the weather?'));
weather.partial(events$).subscribe((known) => console.log('so far:', JSON.stringify(known)));
events$.subscribe((event) => {
  if (event.type !== 'postCall') return;
  const { city, degrees } = weather.read(event); // typed by the schema
  console.log(`${city}: ${degrees} degrees`);
});
events$.connect();
