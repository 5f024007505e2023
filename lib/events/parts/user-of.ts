/** Returns the user of a run or owner. Undefined if `userId` is missing, empty or blank, because such an id names no user. */
export function userOf({ userId }: { readonly userId?: string | undefined }): string | undefined {
  return named(userId);
}

/** Returns the session of a run or owner. Undefined if `sessionId` is missing, empty or blank, because such an id names no session. */
export function sessionOf({ sessionId }: { readonly sessionId?: string | undefined }): string | undefined {
  return named(sessionId);
}

const named = (id: string | undefined): string | undefined => (id === undefined || id.trim() === '' ? undefined : id);
