import { expect } from 'chai';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { callRuleMatcher } from '../../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../../lib/permission-rules/call-rule-schema.ts';
import { pathsOfPatch } from '../../../lib/permission-rules/fields/patch-paths.ts';
import type { RuleMatch } from '../../../lib/permission-rules/rule-match.ts';
import { processorTime } from '../../processor-time.ts';
import { tempFolder } from '../../temp-folder.ts';

const cwd = tempFolder('patch-paths');

function match(rule: object, input: object, effect?: 'allow'): RuleMatch {
  const call = { own: 'mcp__any__tool', tool: 'mcp__any__tool', input: input as JsonObject };
  const matches = callRuleMatcher(callRuleSchema.parse(rule), { cwd, home: '/home/me' }, effect);
  return matches({ ...call, permission: 'external' });
}

/** Patches of `secrets/k.txt` and others. */
const PATCHES: readonly string[] = [
  '--- a/secrets/k.txt\n+++ b/secrets/k.txt\n@@ -1 +1 @@\n-a\n+b\n',
  '--- secrets/k.txt\n+++ secrets/k.txt\n@@ -1 +1 @@',
  '--- secrets/k.txt\t2026-01-01 10:00:00\r\n+++ secrets/k.txt\t2026-01-01 10:00:01\r\n',
  '--- a/secrets/k.txt\n+++ /dev/null\n@@ -1 +0,0 @@',
  '--- /dev/null\n+++ b/secrets/k.txt\n@@ -0,0 +1 @@',
  '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/secrets/k.txt\n+++ b/secrets/k.txt\n',
  'Fix it\n\ndiff --git a/secrets/k.txt b/secrets/k.txt\nGIT binary patch\n',
  'diff --git a/x b/secrets/k.txt\nsimilarity index 100%\nrename from x\nrename to secrets/k.txt\n',
  'rename from secrets/k.txt\nrename to x',
  'copy from secrets/k.txt\ncopy to x',
  '--- "a/secrets/\\153.txt"\n+++ "b/secrets/\\153.txt"\n',
  '--- a/secrets/my key.txt\n+++ b/secrets/my key.txt\n',
  'diff --git a/secrets/my key.txt b/secrets/my key.txt\nold mode 100644\nnew mode 100755',
  'Index: secrets/k.txt\n====\n',
  '*** a/secrets/k.txt\n--- b/secrets/k.txt\n***************\n*** 1 ****',
  '*** Begin Patch\n*** Update File: secrets/k.txt\n@@\n-a\n+b\n*** End Patch',
  '*** Update File: secrets/k.txt',
  '*** Add File: secrets/k.txt\n+a',
  '*** Delete File: ./secrets/k.txt',
  '*** Update File: x\n*** Move to: secrets/k.txt',
  `*** Update File: ${cwd}/secrets/k.txt`,
  "apply_patch <<'E'\n*** Begin Patch\n*** Update File: secrets/k.txt\nE",
];

describe('a path rule for patches', () => {
  const rule = { path: ['/secrets/**'] };

  for (const patch of PATCHES)
    it(`denies ${JSON.stringify(patch.slice(0, 60))} in a field of any name`, () => {
      expect(match(rule, { patch })).to.equal('some');
      expect(match(rule, { args: [{ anything: patch }] })).to.equal('some');
      expect(match(rule, { payload: JSON.stringify({ diff: patch }) })).to.equal('some');
      expect(match({ ...rule, in: 'patch' }, { patch })).to.equal('some');
      // Contents are often texts about patches.
      for (const name of ['content', 'text', 'body']) expect(match(rule, { [name]: patch }), name).to.equal('unclear');
    });

  it('ignores patches of other files, and texts that are not patches', () => {
    for (const patch of [
      '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-secrets/k.txt\n+secrets/l.txt\n',
      '*** Update File: src/secrets.ts\n+see secrets/k.txt',
      'diff --git a/docs/a b/docs/a\n',
      'Title\n--- secrets/k.txt\ntext',
      'rename secrets/k.txt to x',
      '*** secrets/k.txt is mentioned here ***',
      '--- /dev/null\n+++ b/a.txt',
    ])
      for (const name of ['patch', 'content']) expect(match(rule, { [name]: patch }), patch).to.equal('none');
    expect(match({ path: 'outside' }, { patch: '--- /dev/null\n+++ b/a.txt' })).to.equal('none');
    expect(match({ path: 'outside' }, { patch: '*** Add File: /etc/x' })).to.equal('some');
  });

  it('finds both formats for a tool of any name', () => {
    for (const patch of ['--- a/.env\n+++ b/.env\n@@ -1 +1 @@', '*** Begin Patch\n*** Update File: .env'])
      expect(match({ tool: '*', path: '.env' }, { patch })).to.equal('some');
  });

  it('is unclear about a folder with the name of a prefix', () => {
    expect(match({ path: '/b/**' }, { patch: '--- b/k\n+++ b/k\n' })).to.equal('unclear');
    expect(match({ path: '/b/**' }, { patch: '*** Update File: b/k' })).to.equal('some');
    expect(match({ path: '/k' }, { patch: 'rename from a/k\nrename to a/l' })).to.equal('none');
  });

  it('does not make an allow rule match', () => {
    const patch = '--- a/docs/a.md\n+++ b/docs/a.md\n';
    expect(match({ path: 'docs/**' }, { patch }, 'allow')).to.equal('none');
  });

  it('takes linear time', () => {
    const parts = ['--- a\n', '+++ ', '*** a: ', 'diff --git a b\n', 'diff --git ', '--- "\\1', '*** Add File: a/b\n'];
    const all = (): void => {
      for (const part of parts) expect(pathsOfPatch(part.repeat(100_000)).length).to.be.below(3_000);
    };
    expect(processorTime(all, 1)).to.be.below(3_000);
  });
});
