/** Programs with subcommands that take `--help` after them. */
const WITH_SUBCOMMANDS =
  /^(?:git|gh|glab|docker|docker-compose|podman|nerdctl|kubectl|oc|helm|terraform|tofu|terragrunt|pulumi|npm|yarn|pnpm|cargo|gem|poetry|uv|systemctl|flyctl|fly|doctl|heroku|vercel|netlify|prisma|apt|apt-get|dnf)$/;
/** Options with which a program shows its usage or version. */
export const HELP = /^--(?:help|version)$/;
/** Options for a dry run, in addition to the usual ones. */
const USUAL = /^--(?:dry-?run|dry-run=(?:true|client|server))$/;
const DRY: Readonly<Record<string, RegExp>> = {
  rsync: /^-[aAchHlprtgoDzvuxPSWbqRi]*n[aAchHlprtgoDzvuxPSWbqRi]*$/,
  git: /^-[dfxXqvr]*n[dfxXqvr]*$/,
  cargo: /^-n$/,
  zfs: /^-[rRfvp]*n[rRfvp]*$/,
  apt: /^(?:-s|--simulate|--just-print|--no-act)$/,
  'apt-get': /^(?:-s|--simulate|--just-print|--no-act)$/,
  dpkg: /^--(?:simulate|no-act)$/,
  dnf: /^--assumeno$/,
  yum: /^--assumeno$/,
  pacman: /^--print$/,
};
/** Programs without such an option: they may ignore the word or read it as the name of a file. */
const WITHOUT_DRY =
  /^(?:rm|rmdir|unlink|shred|srm|mv|cp|dd|tee|chmod|chown|chgrp|kill|killall|pkill|mkfs|find|tar|curl|http|https|xh|psql|mysql|mariadb|sqlite3|redis-cli|valkey-cli|mongo|mongosh|python|python2|python3|node|nodejs|bun|deno|perl|ruby|php|tsx|powershell|pwsh|rimraf|del-cli|trash|dropdb|shutdown|reboot)$/;
/** Options whose value is the next word. */
const TAKES_WORD =
  /^(?:-[a-zA-Z]*[oemcCbBT]|--(?:exclude|include|filter|rsh|push-option|message|file|tag|registry|repo|exec|files-from|receive-pack|namespace|context|filename|selector))$/;

/** Returns whether a program only shows its help, its version or a dry run. The words exclude the program. */
export function showsOnly(program: string, words: readonly string[]): boolean {
  if (HELP.test(words[0] ?? '')) return true;
  if (WITH_SUBCOMMANDS.test(program) && words.length <= 3 && HELP.test(words.at(-1) ?? '')) {
    if (words.slice(0, -1).every((word) => /^[a-z][a-z-]*$/.test(word))) return true;
  }
  if (WITHOUT_DRY.test(program) || words.some((word) => /^--no-dry-run$|^--dry-run=(?:false|none)$/.test(word)))
    return false;
  const end = words.indexOf('--');
  const own = Object.hasOwn(DRY, program) ? DRY[program] : undefined;
  // The short option of `git branch -n` or `git stash -n` has another meaning, or none; these commands run.
  const isShort = program !== 'git' || /^(?:clean|push|rm|worktree|reflog)$/.test(words[0] ?? '');
  return words.slice(0, end < 0 ? undefined : end).some((word, at) => {
    if (TAKES_WORD.test(words[at - 1] ?? '')) return false;
    return USUAL.test(word) ? words[at + 1] !== 'false' : isShort && own?.test(word) === true;
  });
}
