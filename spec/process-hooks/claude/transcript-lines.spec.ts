import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { agentTool, createAgent, type Tool } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { createScene, on } from './scene.ts';

const scene = createScene('claude-transcript');
const copy = 'cp "$(node -p \'JSON.parse(require("fs").readFileSync(0)).transcript_path\')" seen.jsonl';

interface Line {
  readonly type: string;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly message: { readonly role: string; readonly content: string | { readonly type: string }[] };
}

const lines = (): Line[] =>
  scene
    .read('seen.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the transcript for Claude Code hooks', () => {
  it('has the format of that host, with its tool names', async () => {
    await scene.play(on({ Stop: copy }));
    const [prompt, call, result, answer] = lines();
    expect(prompt).to.deep.include({ type: 'user', message: { role: 'user', content: 'hello' }, isSidechain: false });
    expect(prompt).to.include({ sessionId: 's', cwd: scene.folder, userType: 'external', parentUuid: null });
    expect(call?.message).to.deep.include({ type: 'message', role: 'assistant', stop_reason: 'tool_use' });
    const [use] = (call?.message.content ?? []) as { readonly type: string; readonly id?: string }[];
    expect(use).to.deep.include({ type: 'tool_use', name: 'Bash', input: { command: 'ls' } });
    expect(result).to.deep.include({
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: use?.id, type: 'tool_result', content: 'ran 1', is_error: false }],
      },
    });
    expect(answer?.message.content).to.deep.equal([{ type: 'text', text: 'done' }]);
    expect(lines().map(({ parentUuid }) => parentUuid)).to.deep.equal(
      [null, ...lines().map(({ uuid }) => uuid)].slice(0, 4),
    );
    expect(new Set(lines().map(({ uuid }) => uuid)).size).to.equal(4);
  });

  it('ends with the answer that Stop evaluates, each time', async () => {
    const script = `cat > stop.json; T="$(node -p 'require("./stop.json").transcript_path')"
      node -e '
        const lines = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\\n").filter((line) => line.includes("\\"role\\":\\"assistant\\""));
        console.log(JSON.parse(lines.at(-1)).message.content.map((one) => one.text).join(""));' "$T" >> answers
      grep -q '"stop_hook_active":true' stop.json || { echo "go on" >&2; exit 2; }`;
    await scene.play(on({ Stop: script }), { turns: ['first', 'second'] });
    expect(scene.read('answers')).to.equal('first\nsecond\n');
  });

  it('lets a loop continue until the last answer contains its completion text', async function () {
    if (spawnSync('jq', ['--version']).error) {
      console.log('      jq is not installed; this spec needs it');
      this.skip();
    }
    const loop = `IN=$(cat); T=$(echo "$IN" | jq -r .transcript_path)
      grep -q '"role":"assistant"' "$T" || exit 0
      SAID=$(grep '"role":"assistant"' "$T" | tail -1 | jq -r '.message.content | map(select(.type == "text")) | map(.text) | join("\\n")')
      case "$SAID" in *DONE*) exit 0 ;; esac
      jq -n '{decision: "block", reason: "again"}'`;
    const { model } = await scene.play(on({ Stop: loop }), { turns: ['not yet', 'soon', 'DONE', 'too far'] });
    expect(model.requests).to.have.length(3);
  });

  it('has the name of a stopping sub-agent, with sidechain lines', async () => {
    const kid = createAgent({ name: 'kid', model: scriptedModel(['kid says']) });
    const tool = agentTool(kid, { name: 'run_command', description: 'Asks the kid.' });
    await scene.play(on({ SubagentStop: `tee stop.json | ${copy}` }), { tool: tool as Tool, input: { prompt: 'go' } });
    expect(scene.told('stop.json')['agent_transcript_path']).to.equal(scene.told('stop.json')['transcript_path']);
    expect(lines().every((line) => (line as unknown as { isSidechain: boolean }).isSidechain)).to.equal(true);
  });
});
