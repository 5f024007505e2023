import type { Permission } from '../../../events/parts/tool-description.ts';
import type { ListedTool } from './mcp-client.ts';

/** Options for the permissions of a server's tools. */
export interface PermissionOptions {
  /** Permissions of tools, by the server's name for them. They override everything else. */
  readonly permissions?: Readonly<Record<string, Permission>>;
  /** Trusts the server's hints. A read-only tool gets `read`, and a tool with a closed world gets `write`. */
  readonly trustAnnotations?: boolean;
}

/** Returns the permission of a listed tool: `external`, unless the options set another one or trust the server. */
export function permissionOf(
  { name, annotations }: ListedTool,
  { permissions = {}, trustAnnotations = false }: PermissionOptions,
): Permission {
  const given = Object.hasOwn(permissions, name) ? permissions[name] : undefined;
  if (given || !trustAnnotations) return given ?? 'external';
  if (annotations?.readOnlyHint === true) return 'read';
  return annotations?.openWorldHint === false ? 'write' : 'external';
}
