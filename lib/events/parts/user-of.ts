/** The user that a run or an owner names. Undefined where `userId` is absent, empty or blank: such an id names no user. */
export function userOf({ userId }: { readonly userId?: string | undefined }): string | undefined {
  return userId === undefined || userId.trim() === '' ? undefined : userId;
}
