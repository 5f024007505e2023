import type { Command } from 'commander';
import { examineHost, type HostReport } from '../host-hook/doctor/examine-host.ts';
import { findHosts } from '../host-hook/install/find-hosts.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

const HELP = `
A host is on this machine if its folder of settings exists, or its program is on the PATH. doctor runs the command in
the settings of the user four times: with a harmless call, and with a call that writes the settings of the host, which
Hookline always denies. Nothing is written, but an audit log records these calls. Commands in the settings of the
current project run only with --project, because a project of somebody else may name any command.

Codex skips hooks that nobody trusted. doctor reads whether a person trusted the hook, but not whether it changed since.
PicoClaw is not tested.

Exit codes: 0 every host is guarded, 1 a guard is off or does not work, 2 bad usage.

Examples:
  hookline doctor
  hookline doctor --json | jq '.hosts[] | select(.problems != [])'
`;

/** `hookline doctor`: tests the hooks that are installed in hosts. */
export function doctor(command: Command): void {
  command
    .option('--json', 'print JSON: { ok, hosts }')
    .option('--project', 'also run the hooks in the settings of the current project, which you must trust')
    .addHelpText('after', HELP)
    .action(async ({ json = false, project = false }: { readonly json?: boolean; readonly project?: boolean }) => {
      const hosts: HostReport[] = [];
      // One after another, because other commands would change the times.
      for (const host of findHosts()) hosts.push(await examineHost(host, project));
      const ok = hosts.every(({ problems }) => problems.length === 0);
      if (json) printJson({ ok, hosts });
      else
        process.stdout.write(
          harmlessText(hosts.length === 0 ? 'There is no host on this machine.\n' : hosts.map(shown).join('')),
        );
      process.exitCode = ok ? 0 : 1;
    });
}

function shown({ title, hooks, problems }: HostReport): string {
  const lines = hooks.map(({ scope, file, version, trusted, ms }) =>
    [
      `installed (${scope}): ${file}`,
      ...(version === undefined ? [] : [`version ${version}`]),
      ...(trusted === true ? ['trusted'] : []),
      ...(ms === undefined ? [] : [`${ms} ms a call`]),
    ].join(', '),
  );
  return [
    `${title}: ${problems.length === 0 ? 'guarded' : 'not guarded'}`,
    ...lines.map((line) => `  ${line}`),
    ...problems.map((problem) => `  problem: ${problem}`),
    '',
  ].join('\n');
}
