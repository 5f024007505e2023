import { expect } from 'chai';
import { dangerOfLine } from '../../../lib/permission-rules/danger/danger-of-line.ts';

const SHOWN = [
  'rm --help',
  'shred --version',
  'sudo rm --help',
  'git clean --help',
  'git push --force --dry-run',
  'git push -n --force',
  'git push -f --dry-run',
  'git clean -n',
  'git clean -fdn',
  'git clean -f --dry-run',
  'git rm -n a.ts',
  'git worktree prune --dry-run',
  'git branch -d feature',
  'git branch --delete feature',
  'rsync -n --delete a/ b/',
  'rsync -avn --delete a/ b/',
  'rsync -a --delete --dry-run a/ b/',
  'terraform destroy --help',
  'docker rm --help',
  'docker compose down --help',
  'kubectl delete pod web --dry-run=client',
  'helm uninstall web --dry-run',
  'npm publish --dry-run',
  'npm publish --help',
  'cargo publish -n',
  'cargo publish --dry-run',
  'apt-get remove -s nginx',
  'apt remove --simulate nginx',
  'aws s3 rm s3://a/b --dryrun',
  'aws s3 sync --delete --dryrun a s3://b',
  'zfs destroy -nv tank/a',
  'cp a.txt /dev/null',
  'docker push acme/site:1.2',
  'npx rimraf --help',
  'npx --help rimraf dist',
  'uv run rm --help',
  'yarn npm publish --dry-run',
];

const DANGEROUS = [
  'rm -rf x --help',
  'rm -rf x --dry-run',
  'rm -n x',
  'find . -delete --dry-run',
  'git push --force -- --dry-run',
  'git push --force -o --dry-run',
  'git push --force --dry-run --no-dry-run',
  'git branch -D feature',
  'git branch -d -f feature',
  'git branch -df feature',
  'git branch --delete --force feature',
  'git clean -fd',
  'git clean -fe n',
  'git clean -f -e --dry-run',
  'git reset --hard -n',
  'rsync --delete -e --dry-run a/ b/',
  'rsync --delete --exclude --dry-run a/ b/',
  'rsync -ena --delete a/ b/',
  'kubectl delete pod web --dry-run=none',
  'npm publish --dry-run=false',
  'npm publish --dry-run false',
  'docker rm web --help x',
  'cp /dev/null x',
  'cp -f /dev/null src/a.ts',
  'install /dev/null x',
  'npm publish',
  'npm publish --access public',
  'yarn publish',
  'yarn npm publish',
  'pnpm publish -r',
  'bun publish',
  'cargo publish',
  'cargo yank --version 1.0.0',
  'gem push a.gem',
  'twine upload dist/a.whl',
  'poetry publish --build',
  'uv publish',
  'vsce publish',
  'npx vsce publish',
  'npx rimraf dist --dry-run',
  'pnpm dlx rimraf dist --dry-run',
  'poetry run rm -rf dist --dry-run',
  'cross-env A=1 rm -rf dist',
  'cross-env A=1 rm -rf dist --dry-run',
];

describe('a line that shows help or a dry run', () => {
  for (const line of SHOWN)
    it(`is harmless: ${line}`, () => {
      expect(dangerOfLine(line)).to.equal(undefined);
    });

  for (const line of DANGEROUS)
    it(`does not include ${line}`, () => {
      expect(dangerOfLine(line)).to.be.a('string');
    });
});
