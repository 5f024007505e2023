// Passages of a folder, found for what the user says, and told to the model with their sources.
import { createAgent, createPipeline, textOf } from 'hookline';
import { rag } from 'hookline/hooks/rag';
import { scriptedModel } from 'hookline/testing';

const handbook = rag({ folder: 'samples/hooks/handbook', limit: 1 });

const model = scriptedModel(['Second class (travel.md).']);
const agent = createAgent({ name: 'helpful', model, pipeline: createPipeline([handbook]) });

agent.run('How do I book a train?').subscribe((event) => {
  if (event.type !== 'postCall') return;
  for (const { data } of event.notes ?? []) console.log(JSON.stringify(data).replace(/,"score":[\d.]+/, ''));
  console.log(textOf(model.requests[0]?.messages[0]).replace(/ score="[\d.]+"/, ''));
});
