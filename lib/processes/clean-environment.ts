const secretName =
  /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|CREDENTIAL|AUTH|PRIVATE|SIGNATURE|COOKIE|SESSION|WEBHOOK|DSN|CONN(ECTION)?_?STR|JWT|BEARER|CERT|_(PAT|PWD|PASS|PIN|SALT)$|^PASS$|^HOOKLINE_/i;
// scheme://user:password@host, which is how databases and proxies are named.
const urlWithUser = /:\/\/[^/\s@]+@/;

/** What a command may know of the host's environment. */
export interface EnvironmentOptions {
  /** Names of variables that are handed on although they look like secrets. */
  readonly allow?: readonly string[] | undefined;
  /** Variables that are added or replaced. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** `environment` without the variables that look like secrets; this keeps honest programs from printing them, a hostile one can read its parent's memory. */
export function cleanEnvironment(environment: NodeJS.ProcessEnv, options: EnvironmentOptions = {}): NodeJS.ProcessEnv {
  const { allow = [], extra = {} } = options;
  const kept = Object.entries(environment).filter(
    ([name, value]) => allow.includes(name) || !(secretName.test(name) || urlWithUser.test(value ?? '')),
  );
  return { ...Object.fromEntries(kept), ...extra };
}
