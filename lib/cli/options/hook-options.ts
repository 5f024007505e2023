import { type Command, Option } from 'commander';
import { presets } from '../presets/preset.ts';
import { append } from './append.ts';
import { choice } from './choice.ts';

/** Adds the options that select hooks to a command. `about` describes `--config`. */
export function hookOptions(command: Command, about = 'configuration file (repeatable; later files win)'): Command {
  return command
    .option('--config <file>', about, append, [])
    .option('--hooks <module>', 'module of hooks, as for run (repeatable)', append, [])
    .addOption(presetOption())
    .addOption(allowWeakerOption());
}

/** Option `--preset` of all commands that read configurations. */
export function presetOption(): Option {
  return new Option('--preset <name>', 'start with a hook set: safe, observe or none').argParser(choice(presets));
}

/** `--allow-weaker`, for every command that reads several configurations. */
export function allowWeakerOption(): Option {
  return new Option(
    '--allow-weaker',
    'allow later configurations to weaken hooks of earlier ones (never the hooks that are always on)',
  );
}
