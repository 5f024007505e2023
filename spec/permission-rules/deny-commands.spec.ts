import { expect } from 'chai';
import { commandMatcher } from '../../lib/permission-rules/match-command.ts';
import { type Effects, needBash, shellSandbox } from './shell-sandbox.ts';

/** Lines that run `bad` in sh or bash without naming it: the variable X contains its name. */
const UNNAMED: readonly string[] = [
  "find . -name 'ba[d]' -exec {} x \\;",
  'split --filter=$X 1',
  "split --filter='./b*' 1",
  "split --filter='b$()ad' 1",
  'mapfile -C $X -c 1 a <<< hi',
  'compgen -C "$X"',
  'jobs -x $X',
  "env -S'${X}'",
  "PS4='$($X)'; set -x; :",
  `x='$($X)'; echo "\${x@P}"`,
  'for f in ./b*; do $f; done',
  `printf 'a[$(b%sd)]\\n' a | while read x; do [ -v "$x" ]; done`,
  `printf 'a[$(b%sd)]\n' a | { read x; [ -v "$x" ]; }`,
  `printf 'a[$(b%sd)]\n' a | while read x; do echo \${z[x]}; done`,
  `printf 'a[$(b%sd)]\n' a | while read x; do echo \${HOME:x}; done`,
  `printf 'a[$(b%sd)]\n' a | while read x; do a=(1); unset "$x"; done`,
  `printf 'b%sd\n' a | while read x; do prlimit $x y; done`,
  `printf 'a[$(b%sd)]\n' a | while read x; do echo \${!x}; done`,
];

/** Lines that run `bad` in sh or bash. */
const RUNNING: readonly string[] = [
  'time ! $X',
  'time -p ! ! $X',
  '! time ! bad',
  // Builtins that evaluate a word, in any spelling of their name.
  "\\trap 'bad x' EXIT",
  "'trap' 'bad x' EXIT",
  "command trap 'bad x' EXIT",
  "builtin trap 'bad x' EXIT",
  "trap 'b\\ad x' EXIT",
  '\\eval bad',
  "command eval 'bad x'",
  '\\alias q=bad\nq x',
  'command alias q=bad\nq x',
  "'alias' q='bad y'\nq x",
  "shopt -s expand_aliases; \\alias q='bad y'\nq x",
  "mapfile -C 'bad x' -c 1 a <<< hi",
  "readarray -C 'bad x' -c 1 a <<< hi",
  "compgen -W '$(bad x)'",
  "compgen -C 'bad x' y",
  'enable -n echo; hash -p "$BIN/bad" echo; echo x',
  'command . ./bad',
  'exec bad',
  // Quotes, braces and backslashes in expansions, which move the end of these.
  "echo ${x:-'}'} ; bad ; echo # '",
  'echo ${x:-"}"} ; bad ; echo # "',
  'echo ${x:-{} ; bad ; echo }',
  'echo "${x:-{}" ; bad ; echo "}"',
  'echo `echo \\`bad\\`` # `',
  // Options in clusters, and commands that begin with a letter of the program.
  'sed 1ebad 1',
  'tar -cvvvvvvvvvvIbad -f x.tar 1',
  "env -vvvvvvvvvvvvS'bad x'",
  'command exec bad',
  "bash -c '$0 x' bad",
  'set -- bad x; "$@"',
  'set bad; $1',
  // Names of variables whose index is evaluated.
  'x=\'a[$(bad y)]\'; test -v "$x"',
  'x=\'a[$(bad y)]\'; [ -v "$x" ]',
  "x='a[$(bad y)]'; [[ -v $x ]]",
  'x=\'a[$(bad y)]\'; printf -v "$x" y',
  'x=\'a[$(bad y)]\'; read "$x" <<< 1',
  "x='a[$(bad y)]'; echo ${!x}",
  "x='a[$(bad y)]'; echo $((x))",
  "x='a[$(bad y)]'; declare -i z=x",
  "x='$(bad y)'; echo ${x@P}",
  "y='z[$(bad x)]'; z=(1); echo ${z[y]}",
  "declare -i x='a[$(bad y)]'",
  "let 'x=a[$(bad y)]'",
  "a=(1); unset 'a[$(bad y)]'",
  "PS4='$(bad x)'; set -x; echo",
  // Programs that take a command separately from its words.
  "env -S'bad x'",
  "env '-S bad x'",
  "env --split-string='bad x'",
  "env -S 'A=1 bad x'",
  "env -vS'bad x'",
  'env {"A=b c",bad} x',
  "nice {'-n 5',bad}",
  'prlimit bad x',
  'prlimit --nofile=1024 bad x',
  'setarch -R bad x',
  'setarch x86_64 -R bad x',
  'setsid -f bad x; sleep 0.2',
  "split --filter='bad x' 1",
  "split --filter 'bad x' 1",
  "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec='bad x' 1",
  "tar -cf /dev/null -I 'bad x' 1",
  'find . -maxdepth 0 -execdir bad {} +',
  "find . -maxdepth 0 -exec env -S'bad x' \\;",
  'sort --compress-program=bad -S 1k /usr/bin/perl | head -1',
  "sed 's/.*/bad/e' 1",
  "sed -n '1e bad x' 1",
  'awk \'BEGIN { system("bad x") }\'',
  'awk \'BEGIN { "bad x" | getline }\'',
  'python3 -c \'import os; os.system("bad x")\'',
  'perl -e \'system("bad", "x")\'',
  "perl -e 'exec q(bad x)'",
  // Text that another program reads.
  'echo bad x | sh',
  'echo bad | xargs env',
  "echo 'bad x' | bash -s",
  '(echo bad x) | sh',
  '{ echo bad x; } | sh',
  'echo \'import os; os.system("bad")\' | python3',
  'if true; then echo \'system("bad")\'; fi | perl',
  "bash <<< 'bad x'",
  'sh <<E\nbad x\nE',
  'python3 <<< \'import os; os.system("bad")\'',
  '$(echo bad) x',
  '`echo bad` x',
  'prlimit $(echo bad) x',
  'x=bad; prlimit $x y',
  // Quotes and blanks.
  'b"a"d x',
  "b''ad x",
  'b\\ad x',
  '"bad" x',
  'ba\\\nd x',
  'A=1 bad x',
  '>/dev/null bad x',
  '! bad x',
  'ok && { bad x; }',
  'ok & bad x',
  'ok | (bad x)',
  'f() { bad x; }; f',
  'for i in 1; do bad x; done',
  'case 1 in 1) bad x;; esac',
  'while bad x; do break; done',
  'coproc bad x; wait',
  "$'b\\x61d' x",
  '{bad,x}',
  '{ba,}d x',
  '"$BIN"/bad x',
  '$BIN/bad x',
  './bad x',
  '. ./bad',
  'for f in bad; do $f x; done',
  'for f in x; do ok; bad; done',
  'set -- 1; for f do bad; done',
  'for f in 1\ndo bad\ndone',
  'for ((i=0; i<1; i++)); do bad; done',
  'for f in \'a[$(bad)]\'; do [ -v "$f" ]; done',
  'for o in -exec; do find . -maxdepth 0 $o bad \\; ; done',
  'for f in 1; do env bad; done',
  'for f in 1; do bad; done | cat',
  'for f in 1; do echo bad; done | sh',
  'if ok; then bad; fi',
  'if ok; then ok; fi; bad',
  'if ! ok; then ok; else bad; fi',
  'until bad; do break; done',
  'while read x; do $x y; done <<E\nbad\nE',
  'cat <<E\n$(bad)\nE',
  'cat <<E\n`bad`\nE',
  'cat <<E\nok\nE\nbad',
  'cat <<E; bad\nok\nE',
  'cat <<E | sh\nbad x\nE',
  'cat <<E | (sh)\nbad x\nE',
  'cat <<E > >(sh)\nbad x\nE\nsleep 0.2',
  'cat <<E\nok\\\nE\nE\nbad',
  'cat <<E\nE\nbad',
  'cat <<-E\n\tok\n\tE\nbad',
  "cat <<'E'\n$(ok)\nE\nbad",
  'ok $(cat <<E\n)\nE\n); bad',
  'echo x | xargs bad',
  'echo x | xargs -n 1 bad',
  'echo x | xargs -n [1b]* grep',
  'echo x | xargs sh -c bad',
  'echo x | xargs -I{} env bad {}',
  "echo '-exec bad ;' | xargs find . -maxdepth 0",
  // A link or copy of the program under another name.
  'ln -s "$BIN/bad" q; ./q x',
  'cp $BIN/bad q && ./q x',
  'cp "$BIN"/bad "$HOME/q"; $HOME/q',
  'cp bad q; mv q z; ./z',
  'ln bad q\nenv ./q x',
  "ln -sf bad q; sh -c './q x'",
  'echo 1; cp bad q; echo ./q | sh',
  'dd if=bad of=1; ./1',
  'sh -c "cp bad q" && find . -maxdepth 0 -exec ./q \\;',
  'ln -s "$(command -v bad)" q && ./q x',
  'ln -s "$BIN/$X" q; ./q',
  'n=q; cp bad $n; ./q',
  'cp ba? q; ./q',
  '*d x',
  'ba? x',
  'ba[d] x',
];

/** Ordinary lines that only print, search or store the name. */
const HARMLESS: readonly string[] = [
  'echo bad',
  'echo "bad x"',
  "printf '%s\\n' bad",
  'grep bad x',
  "grep -rn 'bad x' src | head",
  'grep -c bad < 1',
  'rg bad src',
  'git log --grep=bad',
  'git log -S bad --oneline',
  "git commit -m 'remove bad x'",
  'git commit -am "bad: remove it" && git status',
  'git rm bad',
  'git grep bad',
  'git show HEAD:bad',
  'git diff -- bad',
  'git add bad && git status',
  'git checkout bad',
  'git branch -d bad',
  'ls bad',
  'ls -l bad | wc -l',
  'cat bad',
  'cat bad | grep x',
  'head -n 1 bad',
  'tail -f bad',
  'wc -l bad',
  'stat bad',
  'file bad',
  'which bad',
  'type bad',
  'command -v bad',
  'mkdir -p bad',
  'touch bad',
  'cp bad good',
  'cp bad good && git status',
  'cp bad good && cat good | wc -l',
  'ln -s bad good && ls -l good && ./other x',
  'cp "$f" good.sh && npm test',
  'cp ok good && ./good',
  'mv bad good; git add good; ./run.sh',
  'mv bad good',
  'cd bad && ls',
  'test -f bad',
  '[ -f bad ] && echo yes',
  'diff bad good',
  'cut -d, -f1 bad | sort | uniq',
  'sort bad',
  'find . -name bad',
  "find . -name '*.ts' -newer bad",
  'jq .bad 1',
  'curl https://example.com/bad',
  'docker rm bad',
  'docker rmi bad',
  'npm rm bad',
  'npm uninstall bad',
  'npm ls bad',
  'npm run badly',
  'npm test -- --bad-words',
  'node scripts/bad.js',
  'python3 bad.py',
  'make badge',
  'cargo build --features not-bad',
  'tsc -p bad.json',
  'echo hi # bad x',
  'npm test; echo "not bad"',
  'npm test && git commit -m bad',
  'chmod +x bad',
  'tee bad < 1',
  'du -sh bad',
  'basename /x/bad',
  'date +bad',
  'man bad',
  'gh pr create --title "bad files" --body "use bad x"',
  'gh issue comment 3 --body "bad x"',
  'apt-get install -y bad',
  'brew install bad',
  'systemctl status bad',
  'sleep 1; echo bad',
  'npm run build > bad',
  // Loops, conditions, here-documents and xargs of known programs.
  'for f in *.ts; do echo $f; done',
  'for f in $(ls); do cat "$f" | wc -l; done',
  'for f in a b\ndo\n  cp "$f" "$f.old"\ndone',
  'for i in 1 2 3; do sleep 1; done; npm test',
  'if [ -f bad ]; then cat bad; else echo none; fi',
  'while ! curl -s localhost; do sleep 1; done',
  'until test -f x; do sleep 1; done',
  'cat <<EOF > a.md\n# Title\nplain text\nEOF',
  "cat <<'EOF'\ndo not use bad here\nEOF",
  'cat <<-EOF | grep x\n\tone $x\n\tEOF\necho done',
  'git commit -F - <<EOF\nRemove bad\nEOF',
  'tee a.txt <<EOF\nbad\nEOF',
  'find . -name x | xargs grep y',
  'find . -name bad -print0 | xargs -0 -n 10 grep -l bad',
  'git ls-files | xargs wc -l | sort -n',
  'ls | xargs -I{} cp {} /tmp',
];

describe('a deny rule for a program', () => {
  let ran: (line: string) => Effects;
  const fits = commandMatcher(['bad:*']);
  before(function () {
    needBash(this);
    ran = shellSandbox();
  });

  for (const line of [...RUNNING, ...UNNAMED])
    it(`matches, or is unclear about, ${JSON.stringify(line)}`, () => {
      expect(ran(line).programs.has('bad'), 'a shell runs it').to.equal(true);
      expect(fits(line)).to.not.equal('none');
    });

  for (const line of HARMLESS)
    it(`does not match ${JSON.stringify(line)}`, () => {
      expect(fits(line)).to.equal('none');
    });

  it('ignores a program that an unknown program runs and the line does not name', () => {
    for (const line of ["foo -c 'sh script.sh'", 'unknownrunner task', 'make all', './build.sh'])
      expect(fits(line), line).to.equal('none');
    for (const line of ["foo -c 'sh bad.sh; bad'", 'unknownrunner bad']) expect(fits(line), line).to.equal('unclear');
  });
});

describe('a deny rule with more than a name', () => {
  const matches = (rule: string, line: string) => commandMatcher([rule])(line);

  it('is unclear about its program in another folder', () => {
    for (const line of [
      '/srv/deploy.sh',
      './/deploy.sh x',
      './a/../deploy.sh',
      'cd x && ../deploy.sh',
      'env x/deploy.sh',
    ])
      expect(matches('./deploy.sh:*', line), line).to.not.equal('none');
    for (const line of ['rm x', '/usr/bin/rm x', '\\rm x', 'env rm x', "env -S'rm x'", 'echo rm x | sh'])
      expect(matches('/bin/rm:*', line), line).to.not.equal('none');
    for (const line of ['cat deploy.sh', './deploy.sh.bak', 'npm run deploy.sh', 'git add ./deploy.sh', './x/deploy'])
      expect(matches('./deploy.sh:*', line), line).to.equal('none');
    for (const line of ['echo rm', 'grep rm x', './farm', 'git rm x'])
      expect(matches('/bin/rm:*', line), line).to.equal('none');
  });

  it('is unclear about its options in another place, order or cluster', () => {
    for (const line of ['rm -fr x', 'rm -r -f x', 'rm x -rf', 'rm -rfv x', 'rm -f -- x; rm -vfr x', 'env rm -r -f x'])
      expect(matches('rm -rf:*', line), line).to.not.equal('none');
    for (const line of ['rm x', 'rm -r x', 'rm -f x', 'rm rf', 'rm -f x; ls -r'])
      expect(matches('rm -rf:*', line), line).to.equal('none');
    for (const rule of ['git push --force:*', 'git push * --force'])
      for (const line of ['git push origin main --force', 'git push --force origin', 'git push -u --force origin main'])
        expect(matches(rule, line), `${rule} ${line}`).to.not.equal('none');
    for (const line of [
      'git push origin main',
      'git commit -m x --force',
      'git push origin force',
      'echo git push --force',
    ])
      expect(matches('git push --force:*', line), line).to.equal('none');
  });

  it('matches or is unclear about short names and other names of subcommands of npm', () => {
    for (const [rule, line] of [
      ['npm install:*', 'npm i x'],
      ['npm install:*', 'npm add x'],
      ['npm install:*', 'npm inst x'],
      ['npm install:*', 'cd x && npm isntall'],
      ['npm publish:*', 'npm publi'],
      ['npm run deploy:*', 'npm run-script deploy'],
      ['npm run deploy:*', 'npm rum deploy -- x'],
      ['npm uninstall:*', 'npm rm x'],
      ['npm exec:*', 'npm x y'],
      ['npm ci', 'npm clean-install'],
      ['npm update:*', 'npm --silent up'],
      ['pnpm install:*', 'pnpm i'],
      ['pnpm add:*', 'pnpm i x'],
      ['npm i:*', 'npm install x'],
    ] as const)
      expect(matches(rule, line), `${rule} ${line}`).to.not.equal('none');
    for (const [rule, line] of [
      ['npm install:*', 'npm init'],
      ['npm install:*', 'npm ci'],
      ['npm install:*', 'npm ls i'],
      ['npm run deploy:*', 'npm run-script build'],
      ['npm run deploy:*', 'npm run build'],
      ['npm publish:*', 'npm pack'],
      ['git push:*', 'git pu'],
    ] as const)
      expect(matches(rule, line), `${rule} ${line}`).to.equal('none');
  });

  it('is unclear about dashed commands of git, and management commands of docker', () => {
    for (const [rule, line] of [
      ['git push:*', 'git-push origin'],
      ['git push:*', '/usr/lib/git-core/git-push'],
      ['git push --force:*', 'git-push origin --force'],
      ['git push:*', 'env git-push'],
      ['git push:*', 'echo git-push | sh'],
      ['git push:*', 'git -c alias.p=push p'],
      ['docker rm:*', 'docker container rm x'],
      ['docker rm:*', 'docker -H x container remove x'],
      ['docker container rm:*', 'docker rm x'],
      ['docker container rm:*', 'docker --debug rm x'],
      ['docker rmi:*', 'docker image rm x'],
      ['docker image rm:*', 'docker rmi x'],
      ['docker run:*', 'sudo docker container run x'],
      ['docker ps', 'docker container ls'],
      ['podman rm -f:*', 'podman container rm -f x'],
      ['docker compose down:*', 'docker-compose down -v'],
      ['docker-compose down:*', 'docker compose down -v'],
    ] as const)
      expect(matches(rule, line), `${rule} ${line}`).to.not.equal('none');
    for (const [rule, line] of [
      ['git push:*', 'git-pull'],
      ['git push:*', 'cat git-push'],
      ['git push:*', 'git-lfs push'],
      ['docker rm:*', 'docker container ls'],
      ['docker rm:*', 'docker volume rm x'],
      ['docker rm:*', 'docker image rm x'],
      ['docker rmi:*', 'docker rm x'],
      ['docker volume rm:*', 'docker rm x'],
      ['docker compose down:*', 'docker-compose up'],
    ] as const)
      expect(matches(rule, line), `${rule} ${line}`).to.equal('none');
  });

  it('is unclear about its words after a copy of its program', () => {
    for (const line of ['ln -s /usr/bin/git g; ./g push', 'cp $(which git) /tmp/g && /tmp/g -C . push origin'])
      expect(matches('git push:*', line), line).to.not.equal('none');
    for (const line of ['ln -s /usr/bin/git g; ./g pull', 'cp git g && git status'])
      expect(matches('git push:*', line), line).to.equal('none');
  });

  it('does not become an allow rule for them', () => {
    for (const [rule, line] of [
      ['rm -rf:*', 'rm -r -f x'],
      ['./deploy.sh:*', '/srv/deploy.sh'],
      ['git push:*', 'git-push'],
      ['docker rm:*', 'docker container rm x'],
    ] as const)
      expect(commandMatcher([rule], 'allow')(line), line).to.equal('none');
  });
});
