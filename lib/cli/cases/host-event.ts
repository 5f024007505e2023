import type { JsonObject } from '../../events/values/json-value.ts';
import type { DialectName } from '../host-hook/dialects/dialect-names.ts';
import type { PolicyCase } from './case-file.ts';

/** Where an event comes from. */
interface Base {
  readonly session: string;
  readonly cwd: string;
}

interface Call {
  readonly tool: string;
  readonly input: JsonObject;
  /** The server and the tool, if the tool is named as in rules: `mcp__server__tool`. */
  readonly mcp: { readonly server: string; readonly tool: string } | undefined;
}

/** How a host sends the events of cases. */
interface EventWriter {
  call(call: Call, base: Base): JsonObject;
  result(call: Call, content: string, base: Base): JsonObject;
  prompt(prompt: string, base: Base): JsonObject;
}

const claudeLike: EventWriter = {
  call: (call, base) => ({ ...claudeEvent('PreToolUse', base), ...claudeCall(call) }),
  result: (call, content, base) => ({
    ...claudeEvent('PostToolUse', base),
    ...claudeCall(call),
    tool_response: content,
  }),
  prompt: (prompt, base) => ({ ...claudeEvent('UserPromptSubmit', base), prompt }),
};

const claudeEvent = (name: string, { session, cwd }: Base) => ({ hook_event_name: name, session_id: session, cwd });
const claudeCall = ({ tool, input }: Call) => ({ tool_name: tool, tool_input: input, tool_use_id: 'case' });

const cursorEvent = (name: string, { session, cwd }: Base) => ({
  ...{ hook_event_name: name, conversation_id: session, workspace_roots: [cwd], cursor_version: '' },
});
const cursorCall = ({ tool, mcp, input }: Call) => ({
  tool_name: mcp ? `MCP:${mcp.tool}` : tool,
  tool_input: input,
});
const geminiCall = ({ tool, mcp, input }: Call) => ({
  ...{ tool_name: mcp ? `mcp_${mcp.server}_${mcp.tool}` : tool, tool_input: input },
  ...(mcp && { mcp_context: { server_name: mcp.server, tool_name: mcp.tool } }),
});
const copilotCall = ({ tool, mcp, input }: Call) => ({
  ...{ tool_name: mcp ? `${mcp.server}-${mcp.tool}` : tool, tool_input: input, timestamp: '' },
});
const opencodeEvent = (event: string, { session, cwd }: Base) => ({ host: 'opencode', event, sessionID: session, cwd });
const opencodeCall = ({ tool, mcp, input }: Call) => ({
  ...{ tool: mcp ? `${mcp.server}_${mcp.tool}` : tool, args: input, callID: 'case' },
  ...(mcp && { servers: [mcp.server] }),
});
const windsurfEvent = (name: string, { session }: Base, info: JsonObject) => ({
  ...{ agent_action_name: name, trajectory_id: session, tool_info: info },
});
const windsurfCall = (phase: string, { tool, mcp, input }: Call, base: Base) =>
  mcp
    ? windsurfEvent(`${phase}_mcp_tool_use`, base, {
        ...{ mcp_server_name: mcp.server, mcp_tool_name: mcp.tool, mcp_tool_arguments: input },
      })
    : windsurfEvent(`${phase}_${tool}`, base, input);
const kiroCall = (event: string, { tool, mcp, input }: Call, base: Base) => ({
  ...claudeEvent(event, base),
  ...{ tool_name: mcp ? `@${mcp.server}/${mcp.tool}` : tool, tool_input: input },
});

const writers: Readonly<Record<DialectName, EventWriter>> = {
  claude: claudeLike,
  codex: claudeLike,
  cursor: {
    call: cursorAsks,
    result: (call, content, base) => ({
      ...{ ...cursorEvent('postToolUse', base), ...cursorCall(call), tool_output: content },
    }),
    prompt: (prompt, base) => ({ ...cursorEvent('beforeSubmitPrompt', base), prompt }),
  },
  gemini: {
    call: (call, base) => ({ ...claudeEvent('BeforeTool', base), ...geminiCall(call) }),
    result: (call, content, base) => ({
      ...{ ...claudeEvent('AfterTool', base), ...geminiCall(call), tool_response: { llmContent: content } },
    }),
    prompt: (prompt, base) => ({ ...claudeEvent('BeforeAgent', base), prompt }),
  },
  copilot: {
    call: (call, base) => ({ ...claudeEvent('PreToolUse', base), ...copilotCall(call) }),
    result: (call, content, base) => ({
      ...{ ...claudeEvent('PostToolUse', base), ...copilotCall(call), tool_result: content },
    }),
    prompt: (prompt, base) => ({ ...claudeEvent('UserPromptSubmit', base), prompt, timestamp: '' }),
  },
  opencode: {
    call: (call, base) => ({ ...opencodeEvent('tool.execute.before', base), ...opencodeCall(call) }),
    result: (call, content, base) => ({
      ...{ ...opencodeEvent('tool.execute.after', base), ...opencodeCall(call), output: content },
    }),
    prompt: (prompt, base) => ({ ...opencodeEvent('chat.message', base), prompt }),
  },
  windsurf: {
    call: (call, base) => windsurfCall('pre', call, base),
    result: (call, _, base) => windsurfCall('post', call, base),
    prompt: (prompt, base) => windsurfEvent('pre_user_prompt', base, { user_prompt: prompt }),
  },
  kiro: {
    call: (call, base) => kiroCall('preToolUse', call, base),
    result: (call, content, base) => ({ ...kiroCall('postToolUse', call, base), tool_response: content }),
    prompt: (prompt, base) => ({ ...claudeEvent('userPromptSubmit', base), prompt }),
  },
};

/** Cursor has events of their own for shell commands, reads and MCP, which can do more. `--install` writes exactly one event for each call. */
function cursorAsks(call: Call, base: Base): JsonObject {
  const { tool, input, mcp } = call;
  const { command = '', working_directory: cwd = '', file_path = input['path'] ?? '' } = input;
  if (tool === 'Shell') return { ...cursorEvent('beforeShellExecution', base), command, cwd };
  if (tool === 'Read') return { ...cursorEvent('beforeReadFile', base), file_path, content: '' };
  const isMcp = mcp !== undefined || tool.startsWith('MCP:');
  if (!isMcp) return { ...cursorEvent('preToolUse', base), ...cursorCall(call) };
  return { ...cursorEvent('beforeMCPExecution', base), ...cursorCall(call), ...(mcp && { command: mcp.server }) };
}

/** Returns the event that a host would send for a case. */
export function hostEventOf(host: DialectName, { call, prompt = '', result }: PolicyCase, base: Base): JsonObject {
  const writer = writers[host];
  if (call) return writer.call(calledIn(call), base);
  return result ? writer.result(calledIn(result), result.content, base) : writer.prompt(prompt, base);
}

function calledIn({ tool, input }: { readonly tool: string; readonly input: JsonObject }): Call {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return { tool, input, mcp: server !== undefined && name !== undefined ? { server, tool: name } : undefined };
}
