/** Params of a message, or their JSON if available. */
export type RpcParams = object | string;

export function paramsJson(params: RpcParams): string {
  return typeof params === 'string' ? params : JSON.stringify(params);
}
