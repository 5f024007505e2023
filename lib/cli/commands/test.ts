import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Subject, startWith } from 'rxjs';
import { formatIssues, issuesOf } from '../../config/issues/config-issue.ts';
import { watchFiles } from '../../config/live/watch-files.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { watchCaseFiles } from '../cases/case-files.ts';
import { loadWriteCases } from '../cases/load-late.ts';
import { type CasesReport, runCases } from '../cases/run-cases.ts';
import { reportData, reportJUnit, reportLines } from '../cases/show-report.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { untilStopped } from '../run/until-stopped.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

const formats = ['text', 'json', 'junit'] as const;

interface Flags {
  readonly format: (typeof formats)[number];
  readonly coverage?: boolean;
  readonly watch?: boolean;
  readonly from: readonly string[];
  readonly config: readonly string[];
  readonly out?: string;
}

const HELP = `
Cases are in files named *.cases.yaml (or .json) beside a policy. hookline.cases.yaml tests hookline.yaml; "policy" names
other files. No tool runs, nobody is asked, and hooks that run programs are skipped.

  cases:
    - name: nobody pushes by force
      call: { tool: run_command, input: { command: git push --force } }
      expect: deny
    - prompt: my key is AKIAIOSFODNN7EXAMPL0
      expect: { text: "my key is [REDACTED:aws-key]" }
    - result: { tool: read_file, content: done }
      expect: allow

A case has one of call, prompt, result and run, and may have agent, user and session. expect is allow, ask, deny,
respond or abort, or has action, by (hook), rule, reason, input and text. With host, a call has the tool and the fields
of a coding agent, and the case is decided as by hookline hook --as. A run is a recording, which is replayed: expect is
unchanged (default), or lists the calls that are not. Exit codes: 0 all passed, 1 some failed, 2 invalid files.

Examples:
  hookline test
  hookline test policies --coverage
  hookline test hookline.cases.yaml --format junit > report.xml
  hookline test --from recordings --config hookline.yaml --out recorded.cases.yaml
`;

/** `hookline test`: runs the cases of policies. */
export function test(command: Command): void {
  command
    .argument('[paths...]', 'files of cases, or folders with them (default: the current folder)')
    .option('--format <format>', `format of the report (${formats.join(', ')})`, choice(formats), 'text')
    .option('--coverage', 'also list the rules and hooks that no case reaches')
    .option('--watch', 'run again when a file changes, or a file of cases appears')
    .option('--from <path>', 'write cases of recorded runs instead: a file or folder of them (repeatable)', append, [])
    .option(
      '--config <file>',
      'with --from: configuration file of the policy (repeatable; later files win)',
      append,
      [],
    )
    .option('--out <file>', 'with --from: write a new file of cases (default: print)')
    .addHelpText('after', HELP)
    .action(async (paths: readonly string[], { watch = false, ...flags }: Flags) => {
      if (checkFrom(paths, { watch, ...flags })) return loadWriteCases()(flags);
      const given = paths.length === 0 ? ['.'] : paths;
      if (watch) return watchCases(given, flags);
      const report = await runCases(given);
      print(report, flags);
      process.exitCode = report.results.some(({ problems }) => problems.length > 0) ? 1 : 0;
    });
}

/** Returns whether cases are written. Rejects options that would have no effect. */
function checkFrom(paths: readonly string[], { from, config, out, watch, coverage, format }: Flags): boolean {
  const wrong = (why: string) => new HooklineError('INPUT_INVALID', why);
  if (from.length === 0 && (config.length > 0 || out !== undefined))
    throw wrong('--config and --out require --from: a file of cases names its policy itself.');
  if (from.length === 0) return false;
  if (config.length === 0) throw wrong('--from requires --config: name the policy that the cases are for.');
  if (paths.length > 0 || watch || coverage || format !== 'text')
    throw wrong('--from writes cases and runs none: remove the paths, --watch, --coverage and --format.');
  return true;
}

function print(report: CasesReport, { format, coverage = false }: Flags): void {
  if (format === 'json') printJson(reportData(report));
  else if (format === 'junit') process.stdout.write(harmlessText(reportJUnit(report)));
  else for (const line of reportLines(report, coverage)) process.stdout.write(`${harmlessText(line)}\n`);
}

/** Runs until the process is stopped. The files of the last readable report are watched, and folders for further cases. */
async function watchCases(paths: readonly string[], flags: Flags): Promise<void> {
  const first = await runCases(paths);
  print(first, flags);
  const files$ = new Subject<readonly string[]>();
  let { files } = first;
  let queue = Promise.resolve();
  const again = async (): Promise<void> => {
    try {
      const report = await runCases(paths);
      print(report, flags);
      files = report.files;
      files$.next(files);
    } catch (thrown) {
      const lines = formatIssues(issuesOf(thrown) ?? []);
      process.stdout.write(`${harmlessText(lines.length > 0 ? lines.join('\n') : messageOf(thrown))}\n`);
    }
  };
  const watching = watchFiles(files$.pipe(startWith(first.files))).subscribe(() => {
    queue = queue.then(again);
  });
  watching.add(
    watchCaseFiles(paths).subscribe((names) => {
      // A new file may be invalid at first.
      files$.next([...new Set([...files, ...names.map((name) => resolve(name))])]);
      queue = queue.then(again);
    }),
  );
  process.stderr.write(`watching ${first.files.length} files; stop with Ctrl-C\n`);
  // Watchers do not keep a process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  await untilStopped({ hangup: true });
  clearInterval(alive);
  watching.unsubscribe();
  await queue;
}
