import type { ShellWord } from './shell-command.ts';

/** A program whose words are data: it runs none of them as a command. */
interface KnownProgram {
  /** The first words that this is limited to; others may run programs. */
  readonly subcommands?: RegExp;
  /** With a word like this, the program may still run another one. */
  readonly but?: RegExp;
}

const DATA: KnownProgram = {};
const named = (names: string, program: KnownProgram = DATA) => names.split(' ').map((name) => [name, program] as const);

const GIT_SUBCOMMANDS =
  'add apply blame branch cat-file check-ignore checkout cherry-pick clean clone commit describe diff fetch grep log ls-files ls-tree merge mv pull push reflog remote reset restore rev-list rev-parse revert rm shortlog show stash status switch tag worktree';
const NPM_SUBCOMMANDS = 'add audit info install i ls list outdated rm remove show uninstall un update view why';
const DOCKER_SUBCOMMANDS =
  'container image images inspect kill logs network port ps pull push rm rmi start stop tag volume';
const firstOf = (names: string) => new RegExp(`^(?:${names.replaceAll(' ', '|')})$`);

/** Options that set a shell or another program for npm and similar tools; npm accepts them abbreviated and with any number of dashes. */
const NPM_PROGRAMS = /^-+(scr?|she?|nod|edi|view|brow|call|git(=|$))|^-c$/;

const programs: ReadonlyMap<string, KnownProgram> = new Map([
  ...named('[ basename cat cd chgrp chmod chown cksum cmp comm cp cut date dd df diff dir dirname du echo egrep'),
  ...named(
    'expr false fgrep file fold grep head hostname id join jq ln ls md5sum mkdir mkfifo mktemp mv nl od paste pwd',
  ),
  ...named(
    'printenv ps readlink realpath rm rmdir seq sha1sum sha256sum sha512sum shasum sleep stat sum tac tail tee test',
  ),
  ...named('touch tr tree true truncate type uname uniq unlink wc which whereis whoami xxd base64 base32 hexdump curl'),
  ...named('rg', { but: /^--(pre|hostname-bin)/ }),
  ...named('sort', { but: /^--co/ }),
  ...named('printf', { but: /^-v/ }),
  ...named('man', { but: /^-/ }),
  ...named('find', { but: /^-(exec|ok)(dir)?$/ }),
  ...named('git', {
    subcommands: firstOf(GIT_SUBCOMMANDS),
    but: /^(-[a-zA-Z]*O.|-[cu]|--(ext|op|upl|rece|exe|conf|tem|(u|up|ex|con|te)(=|$))|ext::)/,
  }),
  ...named('npm pnpm yarn bun', { subcommands: firstOf(NPM_SUBCOMMANDS), but: NPM_PROGRAMS }),
  ...named('docker podman', { subcommands: firstOf(DOCKER_SUBCOMMANDS), but: /^(exec|run|create)$/ }),
  ...named('gh', { subcommands: firstOf('pr issue release search label') }),
  ...named('apt apt-get', { subcommands: firstOf('install remove search show list'), but: /^(-[a-zA-Z]*[oc]|--[oc])/ }),
  ...named('brew apk', { subcommands: firstOf('install info search list add del') }),
  ...named('systemctl', { subcommands: firstOf('status is-active is-enabled show') }),
  // With -v or -V they print what a name stands for.
  ...named('command', { subcommands: /^-p?[vV]$/ }),
]);

/** Returns whether a command is known to run none of its words: it prints, searches, or changes files. */
export function runsNoWord([first, ...rest]: readonly ShellWord[]): boolean {
  const program = programOf(first);
  if (!program || (first?.glob && first.raw !== '[')) return false;
  const { subcommands, but } = program;
  if (subcommands && !(rest[0]?.known && subcommands.test(rest[0].text))) return false;
  return !but || !rest.some((word) => but.test(word.text) || mayBeOption(word));
}

/** Options of `xargs` before its command, and whether each takes the next word. */
const XARGS_FLAG = /^(-[0rt]+|--null|--no-run-if-empty|-[nPL]\d+|-I[{}%@]+|--max-(args|procs|lines)=\d+)$/;
const XARGS_OPTION = /^-[nPLd]$/;
/** Characters that stand for an input; the name of a known program contains none of them. */
const XARGS_SIGN = /^[{}%@]+$/;

/** Returns the command of `xargs` if it is known to run nothing with any further words; otherwise `undefined`. */
export function commandOfXargs([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (!first?.known || !/^(\/usr)?(\/bin\/)?xargs$/.test(first.text) || !rest.every(({ known }) => known))
    return undefined;
  let at = 0;
  for (let word = rest[at]; word?.text.startsWith('-'); word = rest[at]) {
    if (XARGS_OPTION.test(word.text) || (word.text === '-I' && XARGS_SIGN.test(rest[at + 1]?.text ?? ''))) at += 2;
    else if (XARGS_FLAG.test(word.text)) at += 1;
    else return undefined;
  }
  // A file name in the place of a glob would be the command.
  if (rest.slice(0, at + 1).some(({ glob }) => glob)) return undefined;
  const command = rest.slice(at);
  // A word that `xargs` reads may be an option.
  return runsNoWord(command) && !programOf(command[0])?.but ? command : undefined;
}

function programOf(first: ShellWord | undefined): KnownProgram | undefined {
  return first?.known ? programs.get(first.text.replace(/^\/(?:usr\/)?bin\//, '')) : undefined;
}

/** A variable, or a file name in the place of a glob, may be an option. */
function mayBeOption({ raw, known, glob }: ShellWord): boolean {
  return (!known && /^["']?[$`{]/.test(raw)) || (glob && /^-*[*?[]/.test(raw));
}
