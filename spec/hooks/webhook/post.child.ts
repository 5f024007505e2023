// Posts to a server that rejects, and waits for it in one of two ways.
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { webhook } from '../../../lib/hooks/webhook/webhook.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const [url = '', how] = process.argv.slice(2);
const retryMs = how === 'flush' ? 5 : 60_000_000;
const posted = webhook({ url, retryMs, attempts: 2, flushMs: 300 });
const pipeline = createPipeline([posted.hook]);
const agent = createAgent({ name: 'a', model: scriptedModel(['Done.']), pipeline });
agent
  .call('go')
  .then(() => (how === 'flush' ? posted.flush() : pipeline.flush()))
  .then(() => process.stdout.write(JSON.stringify(posted.counts())));
