import type { ShellWord } from './shell-command.ts';

type Words = readonly ShellWord[];

/** Commands of docker by their management command; those whose short name differs stand with it. */
const MANAGED: readonly (readonly [management: string, commands: string])[] = [
  [
    'container',
    'attach commit cp create diff exec export inspect kill logs pause port rename restart rm run start stats stop top unpause update wait remove=rm ls=ps list=ps ps',
  ],
  ['image', 'build history import inspect load pull push save tag rm=rmi remove=rmi ls=images list=images'],
  ['builder', 'build'],
  ['buildx', 'build'],
  ['system', 'events info'],
];
const pairs = MANAGED.flatMap(([management, commands]) =>
  commands.split(' ').map((one) => {
    const [command = '', short = command] = one.split('=');
    return { management, command, short };
  }),
);
const DOCKER = /^(?:docker|podman|nerdctl)$/;

/** Returns other spellings of a command: `git push` for `git-push`, `docker rm` for `docker container rm` and the reverse. */
export function sameCommands(words: Words): readonly Words[] {
  const [first, second, third] = words;
  if (!first) return [];
  const name = first.text.slice(first.text.lastIndexOf('/') + 1);
  if (name.startsWith('git-')) return [[word('git'), word(name.slice('git-'.length)), ...words.slice(1)]];
  if (name === 'docker-compose') return [[word('docker'), word('compose'), ...words.slice(1)]];
  if (!DOCKER.test(name)) return [];
  if (second?.text === 'compose') return [[word(`${name}-compose`), ...words.slice(2)]];
  return pairs.flatMap(({ management, command, short }) => {
    if (second?.text === management && third?.text === command) return [[first, word(short), ...words.slice(3)]];
    return second?.text === short ? [[first, word(management), word(command), ...words.slice(2)]] : [];
  });
}

function word(text: string): ShellWord {
  return { raw: text, text, known: true, glob: false };
}
