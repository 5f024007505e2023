import type { Permission } from '../../../events/parts/tool-description.ts';
import type { ListedTool } from './mcp-client.ts';

/** How far what a server says of its tools counts. */
export interface PermissionOptions {
  /** Permissions of tools, by the name that the server gives them. They go before everything else. */
  readonly permissions?: Readonly<Record<string, Permission>>;
  /** Believe the server's hints: a tool that says it only reads is `read`, one that says it stays within its own world is `write`. */
  readonly trustAnnotations?: boolean;
}

/** The permission of a listed tool: `external`, unless the host says otherwise, or believes the server. */
export function permissionOf(
  { name, annotations }: ListedTool,
  { permissions = {}, trustAnnotations = false }: PermissionOptions,
): Permission {
  const given = Object.hasOwn(permissions, name) ? permissions[name] : undefined;
  if (given || !trustAnnotations) return given ?? 'external';
  if (annotations?.readOnlyHint === true) return 'read';
  return annotations?.openWorldHint === false ? 'write' : 'external';
}
