// A hook hands a token to a tool. The model, the approvers, the events and the audit see its label, never the token.
import { createAgent, createPipeline, defineHook, defineTool, modify, verdict } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const TOKEN = 'tok_4f9a';

const login = defineHook({
  name: 'login',
  match: { tools: ['fetch_mail'] },
  on: {
    preActing: (event, context) => {
      const token = context.seal('mail token', TOKEN, { decoy: 'tok_0000' });
      const input = { ...event.toolCall.input, token };
      return modify(event, { toolCall: { ...event.toolCall, input } });
    },
  },
});

const witness = defineHook({
  name: 'witness',
  approve: ({ toolCall }) => {
    console.log('The approver sees', Object(toolCall.input['token']).$sealed);
    return verdict.allow();
  },
});

const mail = defineTool({
  name: 'fetch_mail',
  description: 'Fetches new mail.',
  inputSchema: z.object({ token: z.string().startsWith('tok_') }),
  execute({ token }) {
    console.log('The tool gets', token === TOKEN ? 'the token itself' : token);
    return 'No new mail.';
  },
});

const model = scriptedModel([{ toolCalls: [{ name: 'fetch_mail', input: {} }] }, { text: 'Nothing new.' }]);
const agent = createAgent({ name: 'postman', model, tools: [mail], pipeline: createPipeline([login, witness]) });

let seen = '';
agent.run('Is there mail?').subscribe({
  next: (event) => {
    seen += JSON.stringify(event);
  },
  complete: () => {
    const everything = seen + JSON.stringify(model.requests);
    console.log('Events and prompts hold the token:', everything.includes(TOKEN) ? 'yes' : 'no');
  },
});
