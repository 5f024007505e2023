/** The params of a message, or their JSON where it was at hand. */
export type RpcParams = object | string;

export function paramsJson(params: RpcParams): string {
  return typeof params === 'string' ? params : JSON.stringify(params);
}
