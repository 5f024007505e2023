import { Option } from 'commander';

/** `--allow-weaker`, of every command that reads several configurations. */
export function allowWeakerOption(): Option {
  return new Option(
    '--allow-weaker',
    'let configurations weaken hooks of earlier ones, but not those that are always on',
  );
}
