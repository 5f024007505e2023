import { type Command, Option } from 'commander';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { keepOption } from '../options/keep-option.ts';
import { wholeNumber } from '../options/whole-number.ts';
import { type ServeSettings, serveApi } from '../run/serve-api.ts';
import { logLevels } from '../setup/create-log.ts';
import { SERVE_HELP } from './serve-help.ts';

/** `hookline serve`: agents, their hooks and the questions of approvers over HTTP. */
export function serve(command: Command): void {
  command
    .option(
      '--config <file>',
      'a configuration (repeatable; the later one wins); read again when it changes',
      append,
      [],
    )
    .addOption(allowWeakerOption())
    .option('--hooks <module>', 'a module of hooks, as for run (repeatable)', append, [])
    .option('--model <model>', 'as for run; goes before that of the configuration')
    .option('--base-url <url>', 'where the openai-compatible model is; its key comes from HOOKLINE_API_KEY')
    .option('--workspace <dir>', 'the folder that the tools work in (default: .)')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <n>', 'the port; 0 is any free one (default: 8787)', wholeNumber)
    .option('--allowed-host <host>', 'what the Host header may say too, port included (repeatable)', append, [])
    .option('--state <dir>', 'where tokens, configurations, sessions and runs are kept')
    .addOption(keepOption())
    .option('--grace <seconds>', 'how long runs may go on after SIGTERM (default: 10)', wholeNumber)
    .addOption(
      new Option('--log-level <level>', `what is logged to stderr (${logLevels.join(', ')})`)
        .argParser(choice(logLevels))
        .default('warn'),
    )
    .option('--json', 'print what happens as lines of JSON')
    .addHelpText('after', SERVE_HELP)
    .action(async (settings: ServeSettings) => {
      process.exitCode = await serveApi(settings);
    });
}
