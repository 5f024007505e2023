// Sends a message and exits while the store is still writing.
import { NEVER } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { longTermMemory } from '../../../lib/hooks/long-term-memory/long-term-memory.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const [stateFolder] = process.argv.slice(2);
const store = { ...memoryStateStore(), set: () => NEVER };
const memory = longTermMemory({}, { store, stateFolder, countTokens: (text) => text.length });
const agent = createAgent({
  name: 'a',
  model: scriptedModel(['Noted.']),
  pipeline: createPipeline([memory.hook]),
});
agent.call('My cat is called Mia.', { userId: 'ann', sessionId: 's' }).then(() => process.exit(0));
