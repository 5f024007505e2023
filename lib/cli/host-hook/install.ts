/** What to put where, so that Claude Code asks these hooks, and what it cannot do for them. `command` is how it starts them. */
export function claudeInstall(command: string, timeout: number, failOpen: boolean): string {
  // Ours is over first: Claude Code lets things go on when a hook takes too long.
  const hooked = (command: string) => [{ type: 'command', command, timeout: timeout + 5 }];
  // Only 2 refuses, and a command that does not start says something else. At a stop that would send it on for ever.
  const hook = hooked(failOpen ? command : `${command} || exit 2`);
  const stop = [{ hooks: hooked(command) }];
  const everyTool = [{ matcher: '*', hooks: hook }];
  const plain = [{ hooks: hook }];
  const settings = {
    hooks: {
      UserPromptSubmit: plain,
      PreToolUse: everyTool,
      PermissionRequest: everyTool,
      PostToolUse: everyTool,
      PostToolUseFailure: everyTool,
      Stop: stop,
      SubagentStop: stop,
    },
  };
  return `Put this into ~/.claude/settings.json, or into .claude/settings.json of a project:

${JSON.stringify(settings, undefined, 2)}

What Claude Code cannot do for hooks:
  - answer a call in the place of a tool (respond): the call is refused, and the answer is told as the reason
  - see or change what the model streams (chunk events), wrap steps (around), or change model requests
  - replace a prompt: a prompt that a hook changes is held back, and the changed one is told
  - take back the output of a failed tool; replace one with an output of another shape
  - seal a value in a call, or run another tool in its place: such a call is refused
A call that a hook changes is shown to you before it runs.
`;
}

/** The same for PicoClaw: one process answers all of its turns. */
export function picoclawInstall(command: readonly string[]): string {
  const intercept = ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool'];
  const observe = ['agent.turn.start', 'agent.turn.end'];
  const hooks = { enabled: true, processes: { hookline: { enabled: true, command, intercept, observe } } };
  return `Put this into ~/.picoclaw/config.json:

${JSON.stringify({ hooks }, undefined, 2)}

What PicoClaw cannot do for hooks:
  - ask somebody: a call that an approver suspends is refused
  - see or change what the model streams before it has been shown, or wrap steps (around)
  - ask the model again (retry), or answer in its place (respond): the turn is ended with the reason
  - change the messages of a turn as it begins (preCall): edits do not reach it; abort and respond end the turn at its next step
  - keep what before_llm makes of tools and system messages, from 0.2.8 on
PicoClaw goes on where a hook is late: --timeout must stay below its own limit (5 s unless it is configured otherwise).
`;
}
