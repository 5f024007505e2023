import { Option } from 'commander';

/** `--allow-weaker`, of every command that reads several configurations. */
export function allowWeakerOption(): Option {
  return new Option('--allow-weaker', 'let later configurations make hooks of earlier ones refuse less');
}
