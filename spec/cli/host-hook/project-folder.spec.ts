import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline } from '../hookline.ts';
import { httpHook } from './listen/http-hook.ts';

const POLICY = `hooks:
  permission:
    type: permission
    options: { default: allow, deny: ['Read(.env)', 'Edit(migrations/**)', 'Bash(rm:*)', { mentions: [keys] }] }
`;
const at = folder({ 'hookline.yaml': POLICY, 'migrations/a.sql': '', '.env': '', 'src/a.ts': '' });
mkdirSync(join(at, '.git'));
const within = join(at, 'src');

describe('hookline hook in a folder of a project', () => {
  type Server = Awaited<ReturnType<typeof httpHook>>;
  const inProject = { CLAUDE_PROJECT_DIR: at };
  let withProject: Server;
  let without: Server;
  before(async () => {
    const serve = (env: NodeJS.ProcessEnv) => httpHook(['--config', join(at, 'hookline.yaml')], { cwd: within, env });
    [withProject, without] = await Promise.all([serve(inProject), serve({ CLAUDE_PROJECT_DIR: undefined })]);
  });
  after(() => Promise.all([withProject.end(), without.end()]));
  const decide = async (tool_name: string, tool_input: object, server: Server) => {
    const session_id = randomUUID();
    const event = { session_id, hook_event_name: 'PreToolUse', tool_name, tool_input, cwd: within, tool_use_id: 't' };
    const { hookSpecificOutput: said } = await server.ask(event);
    return said?.permissionDecision === 'deny' ? said.permissionDecisionReason : 'allow';
  };

  for (const [tool, input, expected] of [
    ['Read', { file_path: join(at, '.env') }, /Read\(\.env\)/],
    ['Write', { file_path: join(at, 'migrations/b.sql'), content: '' }, /migrations/],
    ['Bash', { command: 'cat ../.env' }, /Read\(\.env\)/],
    ['Bash', { command: 'echo x > ../migrations/b.sql' }, /migrations/],
    ['Bash', { command: 'cat ../keys/a' }, /keys/],
    ['Bash', { command: 'ls ..' }, /^allow$/],
    ['Write', { file_path: join(at, 'docs/a.md'), content: '' }, /^allow$/],
    // A worktree of the project is a working directory of its own.
    ['Write', { file_path: join(within, 'migrations/b.sql'), content: '' }, /migrations/],
  ] as const)
    it(`applies deny rules from the project after cd: ${tool} ${JSON.stringify(input).replaceAll(at, '')}`, async () => {
      expect(await decide(tool, input, withProject)).to.match(expected);
    });

  it('applies them in the folder of the configuration without a repository', async () => {
    rmSync(join(at, '.git'), { recursive: true });
    expect(await decide('Read', { file_path: join(at, '.env') }, without)).to.match(/Read\(\.env\)/);
    mkdirSync(join(at, '.git'));
  });

  it('keeps the settings of the project and of the repository after cd', async () => {
    for (const server of [withProject, without])
      expect(
        await decide('Write', { file_path: join(at, '.claude/settings.local.json'), content: '' }, server),
      ).to.match(/host-floor/);
  });

  it('counts a session in all folders of the project', async () => {
    const config = join(
      folder({
        'few.yaml':
          'hooks: { rate-limit: { type: rate-limit, options: { limits: [{ of: calls, per: [session], max: 1, windowMs: 600000 }] } } }\n',
      }),
      'few.yaml',
    );
    const call = (cwd: string) => {
      const event = {
        session_id: 's',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        cwd,
      };
      return hookline(['hook', '--as', 'claude', '--config', config], {
        cwd,
        env: inProject,
        input: JSON.stringify(event),
      });
    };
    expect((await call(at)).code).to.equal(0);
    expect((await call(within)).code).to.equal(2);
  });
});
