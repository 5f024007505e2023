// What a user has said is known in the next session. What is remembered can be listed and forgotten.
import { createAgent, createPipeline, textOf } from 'hookline';
import { memoryStateStore } from 'hookline/hooks';
import { longTermMemory } from 'hookline/hooks/long-term-memory';
import { scriptedModel } from 'hookline/testing';
import { firstValueFrom } from 'rxjs';

const memory = longTermMemory({ limit: 3 }, { store: memoryStateStore() }); // fileStateStore(folder) outlives the process

const model = scriptedModel(['Nice name.', 'Mia.']);
const pipeline = createPipeline([memory.hook]);
const agent = createAgent({ name: 'friendly', model, pipeline });

async function main(): Promise<void> {
  await agent.call('My cat is called Mia.', { userId: 'ann', sessionId: 'monday' });
  await pipeline.flush(); // recorded behind the end of the run
  await agent.call('What is my cat called?', { userId: 'ann', sessionId: 'tuesday' });
  await pipeline.flush();
  const [recalled = '', question] = (model.requests[1]?.messages ?? []).map(textOf);
  console.log(recalled.split('\n').slice(2, -1).join('\n'));
  console.log(question);
  console.log('forgotten:', await firstValueFrom(memory.forget({ userId: 'ann' })));
}

void main();
