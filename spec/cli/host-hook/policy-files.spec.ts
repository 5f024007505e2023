import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { httpHook } from './listen/http-hook.ts';

const HOOK = "module.exports = require('hookline').defineHook({ name: 'HOOK', observe() {} });\n";
const POLICY = `hooks:
  own: { type: module, path: ./own.cjs }
  process: { type: process, enabled: false, options: { command: [node, tools/judge.js], intercept: [approve_tool] } }
  scripts:
    type: command
    options: { settings: { hooks: { PreToolUse: [{ hooks: [{ type: command, command: '"$CLAUDE_PROJECT_DIR"/tools/guard.sh --strict' }] }] } } }
  package: { type: module, path: '@our/hooks' }
  linked: { type: module, path: linked-hooks }
  words: { type: word-filter, options: { files: [./words.txt] } }
  permission: { type: permission, options: { default: allow } }
`;
const at = folder({
  'hookline.yaml': POLICY,
  'own.cjs': HOOK.replace('HOOK', 'own-one'),
  'more.cjs': HOOK.replace('HOOK', 'more'),
  'node_modules/@our/hooks/package.json': '{ "name": "@our/hooks", "main": "lib/index.js" }',
  'node_modules/@our/hooks/lib/index.js': HOOK.replace('HOOK', 'package'),
  'node_modules/@our/hooks/lib/part.js': '',
  'node_modules/@our/other/index.js': '',
  'node_modules/.store/node_modules/linked-hooks/index.js': HOOK.replace('HOOK', 'linked'),
  'words.txt': 'secretword\n',
  'tools/judge.js': '',
  'tools/guard.sh': 'exit 0\n',
  'tools/other.js': '',
});
symlinkSync('.store/node_modules/linked-hooks', join(at, 'node_modules/linked-hooks'), 'dir');

describe('the files of a policy', () => {
  let server: Awaited<ReturnType<typeof httpHook>>;
  before(async () => {
    server = await httpHook(['--config', 'hookline.yaml', '--hooks', './more.cjs'], { cwd: at });
  });
  after(() => server.end());

  for (const [file, denied] of [
    ['own.cjs', true],
    ['more.cjs', true],
    ['tools/judge.js', true],
    ['tools/guard.sh', true],
    ['words.txt', true],
    ['node_modules/@our/hooks/package.json', true],
    ['node_modules/@our/hooks/lib/part.js', true],
    ['node_modules/@our/other/index.js', false],
    ['node_modules/.store/node_modules/linked-hooks/package.json', true],
    ['node_modules/linked-hooks', true],
    ['tools/other.js', false],
  ] as const)
    it(`${denied ? 'cannot be changed' : 'are no others'}: ${file}`, async () => {
      const said = await server.ask({
        ...{ session_id: 's', hook_event_name: 'PreToolUse', cwd: at, tool_use_id: 't' },
        ...{ tool_name: 'Write', tool_input: { file_path: join(at, file), content: '' } },
      });
      if (!denied) expect(said).to.deep.equal({});
      else {
        const { permissionDecision, permissionDecisionReason } = said.hookSpecificOutput;
        expect(permissionDecision).to.equal('deny');
        expect(permissionDecisionReason).to.match(/host-floor.*policy/s);
      }
    });
});
