import { Option } from 'commander';

/** `--allow-weaker`, for every command that reads several configurations. */
export function allowWeakerOption(): Option {
  return new Option(
    '--allow-weaker',
    'allow later configurations to weaken hooks of earlier ones (never the hooks that are always on)',
  );
}
