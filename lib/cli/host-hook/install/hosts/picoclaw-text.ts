import { hookWords } from '../command-line.ts';
import type { InstallFlags } from '../host-writer.ts';

/** Returns the settings that PicoClaw needs, where one process answers all turns, and its limitations. */
export function picoclawText(flags: InstallFlags): string {
  const command = hookWords(flags);
  const intercept = ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool'];
  // A turn is one run of the hooks.
  const observe = ['agent.turn.start', 'agent.turn.end'];
  const hookline = { enabled: true, command, intercept, observe };
  const hooks = { enabled: true, processes: { hookline } };
  return `Add this to ~/.picoclaw/config.json:

${JSON.stringify({ hooks }, undefined, 2)}

Limitations in PicoClaw:
  - tools keep the names of PicoClaw: use them in rules
  - there are no approval prompts: a call that an approver suspends is denied
  - hooks cannot read or change chunks of the model, or wrap steps (around)
  - retry and respond after a model request end the turn with the reason
  - edits of the messages in preCall have no effect; abort and respond end the turn at its next step
  - from 0.2.8 on, changes of before_llm to tools and system messages are ignored
PicoClaw continues if a hook is late: --timeout must be less than its own timeout (default: 5 s).
`;
}
