/** Other names of subcommands, as npm lists them. pnpm, yarn and bun share the usual ones. */
const ALIASES: Readonly<Record<string, string>> = {
  adduser: 'add-user',
  bugs: 'issues',
  ci: 'clean-install ic install-clean isntall-clean',
  config: 'c',
  dedupe: 'ddp',
  'dist-tag': 'dist-tags',
  exec: 'x',
  explain: 'why',
  init: 'create innit',
  install: 'add i in ins inst insta instal isnt isnta isntal isntall',
  'install-ci-test': 'cit clean-install-test sit',
  'install-test': 'it',
  link: 'ln',
  ls: 'list la ll',
  org: 'ogr',
  owner: 'author',
  rebuild: 'rb',
  run: 'run-script rum urn',
  search: 'find s se',
  test: 't tst',
  uninstall: 'un unlink remove rm r',
  update: 'u up upgrade udpate',
  version: 'verison',
  view: 'v info show',
};
const names = new Map(Object.entries(ALIASES).flatMap(([name, all]) => all.split(' ').map((one) => [one, name])));
const PROGRAM = /^(?:npm|pnpm|yarn|bun)$/;

/** Returns whether a word of npm is another name of a subcommand, or short for it. npm accepts the beginning of a name. */
export function isSameSubcommand(program: string, word: string, subcommand: string): boolean {
  if (!PROGRAM.test(program) || word === '') return false;
  const name = names.get(subcommand) ?? subcommand;
  return (names.get(word) ?? word) === name || (!names.has(word) && name.startsWith(word));
}
