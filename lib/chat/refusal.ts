/** The reason why no run was started. It is safe to send to the client. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function refuse(status: number, code: string, message: string): Refusal {
  return { status, code, message };
}

export function isRefusal(value: object): value is Refusal {
  return 'status' in value && 'code' in value && 'message' in value;
}

/** Returns a refusal as JSON: `{ error: { code, message } }`. */
export function refusalResponse({ status, code, message }: Refusal): Response {
  return Response.json({ error: { code, message } }, { status, headers: { 'cache-control': 'no-store' } });
}
