import { Option } from 'commander';
import { presets } from '../presets/preset.ts';
import { choice } from './choice.ts';

/** Option `--preset` of all commands that read configurations. */
export function presetOption(): Option {
  return new Option('--preset <name>', 'start with a hook set: safe, observe or none').argParser(choice(presets));
}
