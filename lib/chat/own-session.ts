/** The session of a user by a name of his own, as the agent knows it. */
export function ownSession(user: string, name: string): string {
  return `${prefixOf(user)}${name}`;
}

/** The name that the user gave to a session. */
export function sessionName(user: string, session: string): string {
  const prefix = prefixOf(user);
  return session.startsWith(prefix) ? session.slice(prefix.length) : session;
}

/** No prefix is the beginning of another one. */
function prefixOf(user: string): string {
  return `${user.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3a'))}:`;
}
