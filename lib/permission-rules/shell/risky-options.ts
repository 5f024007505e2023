import type { ShellWord } from './shell-command.ts';

/** Options, by program, that write a file of any name or run another program. Programs accept them abbreviated, so the tests are prefixes. */
interface RiskyOptions {
  readonly anywhere?: RegExp;
  /** Options that count only before the subcommand. */
  readonly inFront?: RegExp;
  /** Words after a subcommand. */
  readonly behind?: Readonly<Record<string, RegExp>>;
}

/** npm accepts any number of dashes. */
const NPM: RiskyOptions = {
  anywhere: /^(-+(scr|she|nod|pref|userc|globalc|edi|view|brow|cwd|dir|init-m|call)|-+git(=|$)|-C|-c$)/,
};
/** Any name before `=` may set the shell or another program of `make`. */
const MAKE: RiskyOptions = { anywhere: /^(-[a-zA-Z]*[fCEI]|--(f|ma|di|ev|in)|\w+[:+?!]*=)/ };
/** `-x` also ends a cluster: `fd -Hx ./x`. */
const FD: RiskyOptions = { anywhere: /^(-[a-zA-Z]*[xX]|--exec)/ };
/** Another program in place of ssh, or settings of ssh. */
const COPIES: RiskyOptions = { anywhere: /^-[a-zA-Z0-9]*[SoFD]/ };

const programs: Readonly<Record<string, RiskyOptions>> = {
  git: {
    anywhere: /^(--(ou|ext|no-ind|op|upl|rece|exe|sendmail|tem|(u|up|ex|te)(=|$))|-[a-zA-Z]*O|ext::)/,
    inFront: /^(-c|--(config-env|exec-path))/,
    behind: {
      archive: /^-o/,
      bisect: /^run$/,
      bugreport: /^-o/,
      clone: /^(-[a-z]*[cu]|--con)/,
      config: /./,
      diagnose: /^-o/,
      difftool: /./,
      'fast-export': /^--export-m/,
      'filter-branch': /./,
      'format-patch': /^-o/,
      mergetool: /./,
      rebase: /^-[a-zA-Z]*x/,
      submodule: /^foreach$/,
    },
  },
  npm: NPM,
  pnpm: NPM,
  yarn: NPM,
  bun: NPM,
  make: MAKE,
  gmake: MAKE,
  go: { anywhere: /^--?(C|exec|toolexec|o|modfile|overlay|vettool)(=|$)/ },
  cargo: { anywhere: /^(--(conf|manif)|-C)/ },
  tar: {
    anywhere: /^(--(to-c|checkpoint-a|us|inf|index|listed|volno|new|rsh|rmt)|-[a-zA-Z]*[IFg])/,
    inFront: /^[a-zA-Z]*[IF]/,
  },
  rsync: { anywhere: /^(-[a-zA-Z]*e|--(rsh|rsy|log-file|write-b|only-w|conf|dae))/ },
  sort: { anywhere: /^(--(co|o)|-[a-zA-Z]*o)/ },
  rg: { anywhere: /^--(pre|hostname-bin)/ },
  man: { anywhere: /^(-[a-zA-Z]*[PHC]|--(pa|ht|co))/ },
  split: { anywhere: /^--fi/ },
  fd: FD,
  fdfind: FD,
  wget: {
    anywhere:
      /^(-[a-zA-Z]*[OoaPie]|--(output|app|directory-p|ex|inp|use-ask|post-f|body-f|conf|rej|save-c|warc|hsts-f))/,
  },
  scp: COPIES,
  sftp: COPIES,
  zip: { anywhere: /^(-[a-zA-Z]*T|--(unz|te))/ },
  bat: { anywhere: /^--pager/ },
  batcat: { anywhere: /^--pager/ },
  less: { anywhere: /^(-[a-zA-Z]*[oOkT]|--(log|LOG|lesskey|tag)|\+)/ },
  shuf: { anywhere: /^(-[a-zA-Z]*o|--o)/ },
  tree: { anywhere: /^-[a-zA-Z]*o/ },
  curl: {
    anywhere: /^(-[a-zA-Z#]*[oOJKcDT]|--(out|rem|create|conf|cookie-j|du|tr|std|libc|etag-s|upl|hsts|alt-svc))/,
  },
};

/** Returns the place of the last word that makes a command write a file or run a program that the rule may not intend; -1 without one. */
export function lastRiskyWord(words: readonly ShellWord[]): number {
  const [first, second] = words;
  const name = first?.text.slice(first.text.lastIndexOf('/') + 1) ?? '';
  const options = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (!options) return -1;
  const end = words.findIndex(({ text }) => text === '--');
  const subcommand = words.findIndex((word, at) => at > 0 && !word.text.startsWith('-'));
  const behind = words[subcommand] && options.behind?.[words[subcommand].text];
  return words.slice(0, end < 0 ? undefined : end).findLastIndex((word, at) => {
    if (at === 0) return false;
    const isFront = at === 1 || second?.text.startsWith('-') === true;
    if (isFront && options.inFront?.test(word.text)) return true;
    return (
      options.anywhere?.test(word.text) || mayBeOption(word) || (at > subcommand && behind?.test(word.text) === true)
    );
  });
}

/** The shell may replace a glob with a file name that is an option. */
function mayBeOption({ raw, glob }: ShellWord): boolean {
  return glob && /^-*[*?[]/.test(raw);
}
