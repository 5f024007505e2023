/** Command lines of ordinary work: they read, build, test, fetch, write new files or commit. */
export const harmlessLines: readonly string[] = `
ls
ls -la
ls -R src | head -50
pwd
cat README.md
cat package.json | jq .version
head -n 20 src/index.ts
tail -f app.log
less README.md
wc -l src/*.ts
du -sh .
df -h
free -m
uptime
whoami
id
date
date +%F
uname -a
hostname
env
printenv PATH
echo hello
echo "remove the old format"
echo 'rm -rf /' >> notes.md
echo delete
printf '%s\\n' drop
grep -rn "delete" src
grep -rn 'rm -rf' .
grep -c shutdown app.log
grep -E 'drop|truncate' schema.sql
rg "git reset --hard"
rg -n 'DROP TABLE' migrations
ag format
fgrep reboot x
sed -n '1,40p' src/a.ts
sed -i 's/foo/bar/' src/a.ts
awk '{ print $1 }' a.txt
cut -d, -f1 a.csv
sort a.txt | uniq -c
tr a-z A-Z < a.txt
diff a.txt b.txt
comm a b
find . -name '*.ts'
find . -type f -newer a.txt
find . -name '*.md' -exec wc -l {} +
find . -name rm
find src -name "*.delete.ts" -print
xargs grep foo < files
ls | xargs wc -l
ls | xargs grep rm
which rm
command -v rm
type rm
man rm
man shutdown
tree -L 2
stat a.txt
file a.bin
readlink -f a
realpath a
basename /x/rm
dirname /x/rm
mkdir -p build
mkdir format
touch a.txt
cp a b
cp -r src dist
mv a b
mv old.ts new.ts
ln -s a b
chmod +x run.sh
chmod 644 a.txt
chmod u+x bin/cli
chown me a.txt
tar -czf a.tgz src
tar -xzf a.tgz
tar tf a.tgz
zip -r a.zip src
unzip a.zip
gzip a.log
gunzip a.gz
git status
git status --short
git diff
git diff --stat HEAD~1
git diff main...feature
git log --oneline -5
git log --grep='remove'
git log -S 'delete'
git log -p -- src/delete.ts
git show HEAD
git blame src/a.ts
git branch
git branch -a
git branch feature
git checkout main
git checkout -b feature
git checkout feature -- src/a.ts
git switch main
git switch -c remove-old-code
git add .
git add -A
git add src/delete-user.ts
git commit -m "Remove the old format"
git commit -m 'delete unused code; drop support for node 18'
git commit -am "fix: reset --hard is dangerous"
git commit --amend --no-edit
git push
git push origin main
git push -u origin feature
git push --tags
git pull
git pull --rebase
git fetch --all --prune
git merge feature
git rebase main
git cherry-pick abc
git revert HEAD
git stash
git stash pop
git stash list
git stash push -m "format"
git reset HEAD a.txt
git reset --soft HEAD~1
git tag v1
git tag -l
git remote -v
git clone https://github.com/o/delete-me
git rev-parse HEAD
git config user.name
git worktree add ../x
git grep format
git restore --staged a.txt
git submodule update --init
git bisect start
gh pr list
gh pr create --title "Remove dead code" --body "delete"
gh issue view 1
gh run list
gh api repos/o/r
npm ci
npm install
npm install left-pad
npm i -D prettier
npm run build
npm run format
npm run lint -- --fix
npm run clean
npm run db:migrate
npm test
npm test -- --grep delete
npm start
npm run dev &
npm ls
npm outdated
npm audit
npm view rxjs version
npm pack
npm version patch
npx tsc --noEmit
npx prettier --write src
npx biome format --write .
npx eslint . --fix
npx mocha spec/delete.spec.ts
yarn
yarn add lodash
yarn format
yarn remove lodash
pnpm install
pnpm -r build
bun test
node index.js
node -e 'console.log(1)'
node -p process.version
node scripts/remove-comments.js
node --test
deno fmt
deno run a.ts
tsc -p .
vite build
vitest run
jest --coverage
jest -t "deletes the user"
playwright test
python3 main.py
python3 -m pytest
python3 -m pytest -k remove
python3 -c 'print(1)'
python3 -m venv .venv
python manage.py migrate
python manage.py runserver
pip install -r requirements.txt
pip install black
pip list
black .
ruff check --fix
ruff format
mypy .
poetry install
uv sync
pytest tests/test_delete.py
ruby a.rb
bundle install
bundle exec rspec
rails db:migrate
rails routes
rake test
php artisan migrate
composer install
go build ./...
go test ./...
go fmt ./...
gofmt -w .
go mod tidy
go run main.go
cargo build
cargo test
cargo fmt
cargo clippy
cargo clean
cargo run -- --format json
rustfmt src/main.rs
clang-format -i a.c
gcc -o a a.c
make
make test
make clean
make format
make -j4
cmake -B build
cmake --build build
ninja
mvn test
mvn clean install
gradle build
./gradlew test
./gradlew clean build
dotnet build
dotnet test
dotnet format
javac A.java
java -jar a.jar
mix format
mix test
terraform init
terraform fmt
terraform validate
terraform plan
terraform plan -destroy
terraform show
kubectl get pods
kubectl get pods -o json
kubectl describe pod x
kubectl logs -f pod
kubectl apply -f app.yaml
kubectl config current-context
kubectl scale deployment api --replicas=3
kubectl rollout status deployment/api
kubectl port-forward svc/x 8080:80
helm list
helm upgrade --install api ./chart
helm template ./chart
docker ps
docker ps --format '{{.Names}}'
docker images
docker build -t app .
docker run --rm app
docker run --rm -it node:20 node -v
docker logs app
docker exec app ls
docker compose up -d
docker compose down
docker compose logs
docker inspect app
docker pull node
docker push o/app
aws s3 ls
aws s3 cp a s3://b/a
aws sts get-caller-identity
aws ec2 describe-instances
gcloud config list
gcloud auth list
az account show
heroku logs
curl https://example.com
curl -s https://api.example/v1 | jq .
curl -X POST https://api.example -d '{"format":"json"}'
curl -fsSLO https://example.com/a.tgz
curl -o a.tgz https://example.com/a.tgz && tar -xzf a.tgz
curl -so data.json https://example.com/data.json && node report.js data.json
curl -o i.sh https://example.com/i.sh && less i.sh
curl -s https://example.com/a.sql > a.sql && wc -l a.sql; bash build.sh
wget https://example.com/a.csv && python3 read.py a.csv
wget -q https://example.com/i.sh; cat i.sh; sh -n other.sh
sh build.sh && curl -o build.json https://example.com/build.json
dd if=/dev/urandom bs=16 count=1
dd if=disk.img of=/dev/null bs=1M
svn status
svn commit -m 'delete the old module'
svn log -r 1:5
hg status
pm2 list
pm2 logs delete
pm2 start app.js --name delete
vault kv get secret/delete
vault status
consul kv get delete
etcdctl get del
restic snapshots
rclone ls remote:purge
curl https://example.com/format?delete=1
wget https://example.com/a.tgz
ping -c 1 localhost
dig example.com
nc -z localhost 80
ssh host uptime
ssh host 'tail -n 5 /var/log/app.log'
scp a host:b
rsync -av src/ dist/
psql -c 'select * from users'
psql -c "insert into logs values ('delete')"
psql -l
pg_dump shop > shop.sql
mysql -e 'show tables'
sqlite3 app.db .tables
sqlite3 app.db "select count(*) from drops"
redis-cli GET x
redis-cli INFO
mongosh --eval 'db.users.find()'
ps aux
ps aux | grep shutdown
top -b -n 1
lsof -i :3000
kill 1234
kill -0 1234
kill %1
jobs
sleep 5
time npm test
timeout 60 npm test
nice make
watch -n 1 date
systemctl status nginx
systemctl restart app
service nginx status
journalctl -u nginx -n 50
crontab -l
apt list --installed
apt-get update
sudo apt-get install -y jq
apt-cache search format
brew install jq
brew list
dpkg -l
id && groups
history
alias
export NODE_ENV=test
cd src
cd src && ls
cd /tmp; pwd
test -f a && echo yes
[ -d build ] || mkdir build
for f in *.ts; do echo "$f"; done
while read -r l; do echo "$l"; done < a.txt
if [ -f a ]; then cat a; fi
cat <<EOF > a.txt
echo x > a.txt
echo x >> a.log
npm test > out.log 2>&1
npm test 2>/dev/null
npm run build && npm test
tee out.log < a.txt
jq '.format' a.json
jq 'del(.a)' a.json
yq .a a.yaml
xxd a.bin | head
base64 a.txt
base64 -d a.b64 > a.bin
md5sum a
sha256sum a.tgz
openssl rand -hex 16
openssl x509 -in a.pem -text
gpg --list-keys
ssh-keygen -t ed25519 -f k
code .
vim a.txt
nano a.txt
open .
hookline check hookline.yaml
hookline scan README.md
ffmpeg -i a.mp4 -f format b.mp4
convert a.png b.jpg
pandoc -f markdown -t html a.md
markdownlint README.md
prettier --check .
shellcheck rm.sh
shfmt -d .
bash -n script.sh
bash scripts/build.sh
sh ./run.sh --format json
bash -c 'echo rm'
sh -c "npm test"
sudo -u postgres psql -l
env NODE_ENV=production npm start
nohup npm start &
xdg-open a.html
seq 1 10
yes | head -1
true
date -d yesterday
cal
bc <<< '1+1'
expr 1 + 1
factor 12
hexdump -C a | head
strings a | grep drop
nm a.o
objdump -d a
strace -c ls
perf stat ls
valgrind ./a
gdb -batch -ex bt a
`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\\\n', '\\n'));

const text = 'Please remove the old format, delete the draft, drop table "users"; then rm -rf / and reboot.';

/** Calls to tools of any vendor with such words in written, sent or searched text. */
export const harmlessCalls: readonly (readonly [tool: string, input: object])[] = [
  ...[
    'write_file',
    'edit_file',
    'create_file',
    'append_file',
    'Write',
    'NotebookEdit',
    'mcp__fs__write_file',
    'save_note',
    'update_page',
    'create_document',
  ].map((tool) => [tool, { path: 'docs/remove.md', content: text }] as const),
  ...[
    'send_message',
    'send_email',
    'post_comment',
    'reply',
    'mcp__slack__post',
    'create_issue',
    'update_issue',
    'add_comment',
    'notify',
    'speak',
  ].map((tool) => [tool, { to: 'bob', subject: 'Format of the drop', body: text }] as const),
  ...[
    'web_search',
    'search',
    'search_docs',
    'find_in_page',
    'mcp__github__search_code',
    'ask_model',
    'translate',
    'summarize',
    'classify',
    'mcp__jira__search',
  ].map((tool) => [tool, { query: 'how to delete a branch' }] as const),
  ...['markdown', 'json', 'html', 'text', 'pdf', 'png', 'csv', 'yaml'].flatMap((format) => [
    ['fetch_page', { url: 'https://example.com', format }] as const,
    ['export_report', { format, path: 'out/report' }] as const,
    ['render', { format, options: { format } }] as const,
  ]),
  ...['removed', 'deleted', 'dropped', 'formatted', 'truncated'].flatMap((state) => [
    ['list_items', { state }] as const,
    ['set_filter', { filter: { state, include: true } }] as const,
    ['count', { [state]: true }] as const,
  ]),
  ...[
    'format_code',
    'format_document',
    'reformat',
    'information_desk',
    'confirm_order',
    'undelete',
    'list_deleted_items',
  ].map((tool) => [tool, { path: 'src/a.ts' }] as const),
  ...['GET', 'POST', 'PUT', 'PATCH', 'HEAD'].map(
    (method) => ['http_request', { method, url: 'https://a.example/delete' }] as const,
  ),
  ...['create', 'read', 'update', 'list', 'copy', 'move', 'rename', 'open'].map(
    (action) => ['file_operation', { action, path: 'delete/remove.txt' }] as const,
  ),
  ...[
    'select * from drops',
    'insert into logs values (1)',
    "select 'drop table x'",
    'explain delete_log',
    'update t set a = 1 where id = 2',
    'create table t (a int)',
  ].map((sql) => ['execute_sql', { sql }] as const),
  ['Edit', { file_path: 'a.ts', old_string: 'rm -rf', new_string: 'delete' }],
  ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'drop', new_string: 'remove' }] }],
  ['TodoWrite', { todos: [{ content: 'Delete the old code', status: 'pending' }] }],
  ['memory_store', { text }],
  ['generate_image', { prompt: 'a drop of water, remove the background' }],
  ['calendar_create', { title: 'Shutdown party', when: 'Friday' }],
  ['run_tests', { pattern: 'delete', reporter: 'dot' }],
  ['git_commit', { message: 'Remove dead code and drop node 18' }],
  ['git_checkout', { branch: 'remove-format' }],
  ['create_branch', { name: 'delete-old-format' }],
  ['set_label', { labels: ['remove', 'format'] }],
  ['deploy', { service: 'api', version: '1.2.3' }],
  ['pay', { amount: 5, to: 'bob' }],
  ['upload', { path: 'drop.zip', bucket: 'drops' }],
  ['execute_python', { code: 'print("delete")' }],
  ['run', { argv: ['git', 'status'] }],
  ['run', { command: 'npm', args: ['test'] }],
  ['terminal', { cmd: 'ls -la' }],
  ['git', { args: ['push', 'origin', 'main'] }],
  ['git', { args: ['commit', '-m', 'reset --hard'] }],
  ['git', { args: ['log', '--grep', 'push --force'] }],
  ['git', { operation: 'commit', message: 'push --force', all: true }],
  ['git_push', { remote: 'origin', branch: 'main', force: false }],
  ['git_push', { branch: 'force', tags: true }],
  ['git_commit', { message: 'reset --hard', amend: true }],
  ['git_reset', { files: ['a.ts'], soft: true }],
  ['format', { args: ['src/a.ts'], write: true }],
  ['format_code', { path: 'a.ts', force: true }],
  ['find', { args: ['src', '-name', 'delete'] }],
  ['docker', { args: ['ps', '--all'] }],
  ['kubectl', { command: 'get', args: ['pods', 'delete'] }],
  ['terraform', { args: ['plan'] }],
  ['npm', { args: ['run', 'format'] }],
  ['graphql', { query: 'mutation { updateUser(input: { delete: false }) { deleted } }' }],
  ['graphql', { query: 'query { deletedUsers { id } removeCandidates }' }],
  ['graphql', { query: '{ user { deleteReason } }' }],
  ['graphql', { query: 'mutation { addComment(text: "{ deleteUser }") { id deleteUrl } }' }],
  ['graphql', { query: 'mutation RemoveNothing { rename(id: 1) @remove { id } }' }],
  ['search', { query: 'a mutation can delete or remove a gene' }],
];
