import { dangerInCode, dangerInSql } from './dangerous-code.ts';
import { HELP, showsOnly } from './shows-only.ts';

/** Finds the irreversible effect of a program with these words, as the words that cause it. The words exclude the program. */
type DangerTest = (words: readonly string[]) => string | undefined;

const always: DangerTest = () => '';
/** Matches if any word matches. */
const when =
  (...tests: readonly RegExp[]): DangerTest =>
  (words) => {
    const found = tests.map((test) => words.find((word) => test.test(word)));
    return found.every((word) => word !== undefined) ? found.join(' ') : undefined;
  };
const any =
  (...tests: readonly DangerTest[]): DangerTest =>
  (words) => {
    for (const test of tests) {
      const found = test(words);
      if (found !== undefined) return found;
    }
    return undefined;
  };
/** Matches if the subcommand (the first word that is not an option) and the words after it match. */
const sub =
  (name: RegExp, then: DangerTest = always): DangerTest =>
  (words) => {
    const at = words.findIndex((word) => name.test(word));
    const isFirst =
      at >= 0 && words.slice(0, at).every((word, place) => word.startsWith('-') || words[place - 1]?.startsWith('-'));
    const found = isFirst ? then(words.slice(at + 1)) : undefined;
    return found === undefined ? undefined : `${words[at]} ${found}`.trim();
  };
/** Matches a word in any place, and another word after it. */
const inside =
  (test: (text: string) => string | undefined, ...options: readonly RegExp[]): DangerTest =>
  (words) => {
    for (const [at, word] of words.entries()) {
      const isGiven =
        options.length === 0 || options.some((option) => option.test(words[at - 1] ?? '') || option.test(word));
      const found = isGiven ? test(word.replace(/^-+[\w-]+=/, '')) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };

const DEVICE = /^(?:of=)?\/dev\/(?!null$|stdout$|stderr$|tty|fd\/)/;
/** The output file of `dd`, unless it is a device that keeps nothing. */
const WRITTEN = /^of=(?!\/dev\/(?:null$|stdout$|stderr$|tty|fd\/))/;
const RECURSIVE = /^(-[a-zA-Z]*R|--recursive$)/;

const git = any(
  sub(/^reset$/, when(/^--hard$/)),
  sub(/^push$/, when(/^(-[a-z]*[fd][a-z]*|--force.*|--delete|--mirror|--prune|\+.+|:.+)$/)),
  sub(/^clean$/, when(/^(-[a-zA-Z]*f|--force)/)),
  sub(/^checkout$/, when(/^(--|\.|-f|--force|-B)$/)),
  sub(/^switch$/, when(/^(-f|--force|--discard-changes|-C)$/)),
  sub(/^restore$/, (words) =>
    words.includes('--staged') && !words.includes('--worktree') ? undefined : words.join(' '),
  ),
  // Without force, git deletes only what is merged elsewhere.
  sub(/^branch$/, any(when(/^(-[a-z]*D[a-z]*|-M|-d[a-z]*f|-[a-z]*fd)$/), when(/^(--delete|-d)$/, /^(-f|--force)$/))),
  sub(/^tag$/, when(/^(-d|--delete|-f)$/)),
  sub(/^stash$/, when(/^(drop|clear)$/)),
  sub(/^reflog$/, when(/^(expire|delete)$/)),
  sub(/^(filter-branch|filter-repo)$/),
  sub(/^update-ref$/, when(/^-d$/)),
  sub(/^worktree$/, when(/^(remove|prune)$/)),
  sub(/^rm$/, (words) => (words.includes('--cached') ? undefined : words.join(' '))),
  sub(/^gc$/, when(/^--prune/)),
);

const containers = any(
  sub(/^(rm|rmi)$/),
  sub(/^(container|image|volume|network|system|builder)$/, when(/^(rm|prune|remove)$/)),
  sub(/^compose$/, any(when(/^down$/, /^(-v|--volumes)$/), when(/^rm$/))),
  sub(/^kill$/),
);

const infrastructure = any(
  sub(/^destroy$/),
  sub(/^apply$/, when(/^-{1,2}(destroy|auto-approve)$/)),
  sub(/^(state|workspace)$/, when(/^(rm|delete)$/)),
);

const secrets = any(
  sub(/^delete$/),
  sub(/^kv$/, any(sub(/^(delete|destroy)$/), sub(/^metadata$/, sub(/^delete$/)))),
  sub(/^(secrets|auth|audit)$/, sub(/^disable$/)),
  sub(/^(policy|namespace)$/, sub(/^delete$/)),
  sub(/^(lease|token)$/, sub(/^revoke$/)),
  sub(/^operator$/, sub(/^(seal|rekey)$/)),
);

const databases = any(inside(dangerInSql), inside(dangerInCode, /^-{1,2}e(val)?$/, /^-{1,2}eval=/));
const inlineCode = inside(dangerInCode, /^-{1,2}[a-zA-Z]*[ceEp]$/);

const CLOUD =
  /^(rm|rb|delete|terminate|destroy|purge|remove|deregister|(delete|terminate|remove|purge|deregister|destroy)-[\w-]+)$/;

/** Behind a launcher they are a script of the project (`yarn format`) or a package (`poetry remove`). */
const ACTIONS = ['delete', 'remove', 'drop', 'truncate', 'format', 'destroy', 'purge'];

const TABLE: readonly (readonly [names: string, test: DangerTest])[] = [
  [
    'rm rmdir unlink shred srm wipe wipefs blkdiscard mkfs mke2fs mkswap fdisk sfdisk gdisk sgdisk cfdisk parted',
    always,
  ],
  [
    'shutdown reboot poweroff halt telinit killall pkill xkill dropdb dropuser userdel groupdel deluser delgroup',
    always,
  ],
  ['lvremove vgremove pvremove fsfreeze del erase rd diskpart remove-item clear-content stop-computer', always],
  // The plan of JARVIS lists these words; no usual program has these names.
  [ACTIONS.join(' '), always],
  ['init', when(/^[06]$/)],
  ['dd', when(WRITTEN)],
  ['tee', when(DEVICE)],
  ['cp install', any(when(DEVICE), (words) => when(/^\/dev\/null$/)(words.slice(0, -1)))],
  ['mv', when(/^\/dev\/null$/)],
  ['kill', when(/^-(9|KILL|SIGKILL|1|HUP)$/)],
  [
    'systemctl launchctl',
    when(/^(stop|disable|mask|kill|poweroff|reboot|halt|suspend|isolate|unload|bootout|remove)$/),
  ],
  ['service', when(/^stop$/)],
  ['pm2', sub(/^(delete|del|kill|stop|flush)$/)],
  ['supervisorctl', sub(/^(stop|shutdown|remove)$/)],
  ['chmod', when(/^(-[a-zA-Z]*R|--recursive|0?777|a\+.*w.*|o\+.*w.*|[ugoa]*\+.*s.*)$/)],
  ['chown chgrp setfacl chattr', when(RECURSIVE)],
  ['git', git],
  ['svn', any(sub(/^(delete|del|remove|rm|revert)$/), when(/^--remove-(unversioned|ignored)$/))],
  ['hg', any(sub(/^(purge|strip|rollback)$/), sub(/^(update|up|checkout|co)$/, when(/^(-C|--clean)$/)))],
  ['docker podman nerdctl', containers],
  ['docker-compose', any(when(/^down$/, /^(-v|--volumes)$/), sub(/^rm$/))],
  [
    'kubectl oc',
    any(sub(/^(delete|drain)$/), sub(/^replace$/, when(/^--force$/)), sub(/^scale$/, when(/^--replicas=0$/))),
  ],
  ['helm', sub(/^(uninstall|delete|del)$/)],
  ['terraform tofu terragrunt', infrastructure],
  ['pulumi cdk vagrant serverless sls', sub(/^(destroy|remove)$/)],
  ['minikube kind k3d multipass', sub(/^(delete|purge)$/)],
  ['virsh qm', sub(/^(destroy|undefine)$/)],
  ['aws', any(when(CLOUD), when(/^sync$/, /^--delete$/))],
  ['gcloud az gsutil doctl flyctl fly linode-cli ibmcloud oci', when(CLOUD)],
  ['vault bao', secrets],
  ['consul etcdctl', any(sub(/^(delete|del|rm|rmdir)$/), sub(/^kv$/, sub(/^delete$/)))],
  ['restic borg', sub(/^(forget|prune|delete)$/)],
  ['rclone', sub(/^(delete|deletefile|purge|sync|rmdirs?|cleanup)$/)],
  ['heroku', when(/:(destroy|reset|remove|delete)$/)],
  ['vercel netlify', sub(/^(rm|remove|sites:delete)$/)],
  ['gh glab', any((words) => when(/^(delete|remove)$/)(words.slice(0, 2)), when(/^(-X)?DELETE$/))],
  ['curl http https xh', when(/^(-X)?DELETE$/)],
  ['rimraf del-cli trash', always],
  // A published package can be retracted for a short time or never; a pushed image is replaced like a pushed branch.
  ['npm pnpm', sub(/^(publish|unpublish)$/)],
  ['bun', any(sub(/^publish$/), inlineCode)],
  ['yarn', any(sub(/^(publish|unpublish)$/), sub(/^npm$/, sub(/^publish$/)))],
  ['cargo', sub(/^(publish|yank)$/)],
  ['gem', sub(/^(push|yank)$/)],
  ['twine', sub(/^upload$/)],
  ['poetry uv flit hatch vsce', sub(/^publish$/)],
  ['psql mysql mariadb sqlite3 sqlcmd clickhouse-client cqlsh duckdb', databases],
  ['mongo mongosh', databases],
  ['mysqladmin', sub(/^drop$/)],
  ['redis-cli valkey-cli', when(/^(flushall|flushdb|shutdown)$/i)],
  ['rails rake', when(/^db:(drop|reset|purge|truncate_all|rollback)$/)],
  ['artisan', when(/^(migrate:(fresh|reset|rollback)|db:wipe)$/)],
  ['manage.py django-admin', when(/^(flush|sqlflush|reset_db)$/)],
  ['prisma', sub(/^(migrate|db)$/, when(/^(reset|--force-reset)$/))],
  ['alembic', sub(/^downgrade$/)],
  ['history', when(/^-[a-z]*c/)],
  ['diskutil', when(/^(erase|delete|reformat|partitionDisk|zeroDisk|randomDisk|secureErase)/i)],
  ['crontab', when(/^-[a-z]*r/)],
  ['iptables ip6tables nft', when(/^(-F|--flush|-X|flush)$/)],
  ['ufw', sub(/^(disable|reset)$/)],
  ['zfs zpool', sub(/^(destroy|labelclear)$/)],
  ['cryptsetup', when(/^(luksFormat|erase|luksErase|luksKillSlot)$/i)],
  ['btrfs', when(/^(delete|del)$/)],
  ['mdadm', when(/^--(zero-superblock|stop|remove)/)],
  ['rsync', when(/^--del/)],
  ['tar', when(/^--remove-files/)],
  ['find', when(/^-delete$/)],
  ['apt apt-get dnf yum zypper', sub(/^(remove|purge|autoremove|erase|rm)$/)],
  ['pacman', when(/^-R/)],
  ['dpkg', when(/^(-r|-P|--remove|--purge)$/)],
  ['gpg gpg2', when(/^--delete-/)],
  ['reg', sub(/^delete$/)],
  ['taskkill', when(/^\/f$/i)],
  ['vssadmin wbadmin', when(/^delete$/i)],
  [
    'powershell pwsh',
    when(/\b(?:remove-item|clear-content|clear-disk|format-volume|stop-computer|restart-computer)\b/i),
  ],
  ['python python2 python3 node nodejs deno perl ruby php tsx', inlineCode],
];

const programs: ReadonlyMap<string, DangerTest> = new Map(
  TABLE.flatMap(([names, test]) => names.split(' ').map((name) => [name, test] as const)),
);
/** Returns whether the table has a program with this name. */
export const isKnownProgram = (name: string): boolean => programs.has(name);

/** Programs whose first word is another program; the words after it belong to that program. */
const DEEPEST = 4;
const LAUNCHERS = /^(?:npx|bunx|pnpx|bundle|php|python|python3|poetry|uv|pipx|yarn|pnpm|dotenv|cross-env)$/;

/** The words between a launcher and the program: options, variables (`cross-env A=1 rm`), subcommands. */
const IN_FRONT = /^-|^\w+=|^(?:exec|run|dlx)$/;

/** Returns the irreversible effect of a command as the words that cause it (`git push --force`), otherwise `undefined`. */
export function dangerOfCommand(name: string, words: readonly string[], depth = 0): string | undefined {
  const program = name.startsWith('mkfs.') ? 'mkfs' : name.replace(/\.exe$/, '');
  const found = depth > 0 && ACTIONS.includes(program) ? undefined : programs.get(program)?.(words);
  if (found !== undefined) return showsOnly(program, words) ? undefined : `${program} ${found}`.trim();
  // A launcher shows its own help; options after the started program belong to that program.
  if (depth >= DEEPEST || !LAUNCHERS.test(program) || HELP.test(words[0] ?? '')) return undefined;
  const at = words.findIndex((word) => !IN_FRONT.test(word));
  const next = words[at];
  return at < 0 || next === undefined
    ? undefined
    : dangerOfCommand(next.slice(next.lastIndexOf('/') + 1).toLowerCase(), words.slice(at + 1), depth + 1);
}
