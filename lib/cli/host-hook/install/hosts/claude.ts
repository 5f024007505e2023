import { hookWords, shellLine } from '../command-line.ts';
import { hostTimeout, type InstallFlags } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

/** `settings.json` of Claude Code. Those of a project have the paths of this machine, so they are its local ones. */
export const claudeWriter = listWriter({
  host: 'claude',
  user: 'settings.json',
  project: '.claude/settings.local.json',
  call: 'PreToolUse',
  hooks: (flags) => claudeGroups(flags),
});

/** Returns the group of each event that Claude Code needs. */
export function claudeGroups(flags: InstallFlags) {
  const { listen, failOpen = false } = flags;
  const command = shellLine(hookWords(flags));
  const hooked = (refuses: boolean) => [listen ? httpHandler(flags, listen) : commandHandler(flags, command, refuses)];
  const everyTool = { matcher: '*', hooks: hooked(!failOpen) };
  const plain = { hooks: hooked(!failOpen) };
  // Denying every stop would continue a session forever.
  const advisory = { hooks: hooked(false) };
  return {
    // Nothing is evaluated at this event, but issues of the hooks are reported.
    SessionStart: advisory,
    UserPromptSubmit: plain,
    // It runs before PermissionRequest, and limits would count the same call again there.
    PreToolUse: everyTool,
    PostToolUse: everyTool,
    PostToolUseFailure: everyTool,
    Stop: advisory,
    SubagentStop: advisory,
  };
}

/** Only exit code 2 denies, and a command that does not start has another exit code. */
function commandHandler({ timeout }: InstallFlags, command: string, refuses: boolean) {
  return {
    type: 'command',
    command: refuses ? `${command} || exit 2` : command,
    timeout: hostTimeout({ timeout }),
    // From 2.1.295 on, this also denies at a timeout.
    ...(refuses && { onFailure: 'block' }),
  };
}

function httpHandler(
  { timeout, failOpen, tokenEnv }: InstallFlags,
  { host, port }: NonNullable<InstallFlags['listen']>,
) {
  return {
    type: 'http',
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    ...(tokenEnv !== undefined && { headers: { Authorization: `Bearer $${tokenEnv}` }, allowedEnvVars: [tokenEnv] }),
    timeout: hostTimeout({ timeout }),
    ...(!failOpen && { onFailure: 'block' }),
  };
}
