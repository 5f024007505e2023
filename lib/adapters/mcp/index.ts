export type { McpListening, McpListenOptions } from './http/listen-http.ts';
export type { RemoteServer } from './http/remote-server.ts';
export { createMcpProxy, type McpProxy, type McpProxyOptions, type McpTransport } from './proxy/create-mcp-proxy.ts';
export type { ClientPipes } from './proxy/pipes.ts';
export type { ServerProgram } from './proxy/stdio.ts';
export type { McpClient } from './tools/mcp-client.ts';
export { type McpTools, type McpToolsOptions, mcpTools } from './tools/mcp-tools.ts';
