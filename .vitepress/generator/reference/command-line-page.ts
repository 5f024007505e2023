import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../../lib/cli/create-program.ts';
import { cell, code, table } from '../table.ts';

/** Every command with its arguments, options and help. */
export function commandLinePage(): string {
  const program = createProgram();
  // Commands are loaded when help lists them.
  const help = helpOf(program);
  return [
    '# Command line\n',
    cell(program.description()),
    'The [guide](/guides/command-line.md) has the exit codes.\n',
    table(
      ['command', 'description'],
      program.commands.map((command) => [`[\`${command.name()}\`](#${command.name()})`, cell(command.description())]),
    ),
    after(program, help),
    ...program.commands.map((command) => section(command, 2)),
  ].join('\n');
}

function section(command: Command, level: number): string {
  const { parent } = command;
  const name = parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
  const help = command.createHelp();
  return [
    `${'#'.repeat(level)} ${name}\n`,
    `${cell(command.description())}\n`,
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`,
    table(['argument', 'description'], help.visibleArguments(command).map(argumentRow)),
    table(
      ['option', 'description'],
      help
        .visibleOptions(command)
        .map((option) => [code(option.flags), described(option, help.optionDescription(option))]),
    ),
    after(command, helpOf(command)),
    ...command.commands.map((part) => section(part, level + 1)),
  ].join('\n');

  function argumentRow(argument: Argument): string[] {
    return [code(help.argumentTerm(argument)), cell(help.argumentDescription(argument))];
  }
}

/** Commander repeats a default that the description has. */
function described({ description, mandatory }: Option, whole: string): string {
  return cell(`${description.includes('(default: ') ? description : whole}${mandatory ? ' (required)' : ''}`);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

/** The text that a command adds after its options. */
function after(command: Command, help: string): string {
  const [, text = ''] = help.split(command.helpInformation());
  return text.trim() === '' ? '' : `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
