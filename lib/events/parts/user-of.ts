/** The user that a run or an owner names. Undefined where `userId` is absent, empty or blank: such an id names no user. */
export function userOf({ userId }: { readonly userId?: string | undefined }): string | undefined {
  return named(userId);
}

/** The session that a run or an owner names. Undefined where `sessionId` is absent, empty or blank: such an id names no session. */
export function sessionOf({ sessionId }: { readonly sessionId?: string | undefined }): string | undefined {
  return named(sessionId);
}

const named = (id: string | undefined): string | undefined => (id === undefined || id.trim() === '' ? undefined : id);
