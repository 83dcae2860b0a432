/** Major and minor of a version: `1.0` of `1.0.3`, `v1` and `1`; `undefined` if it is not a version. */
export function minorVersion(text: string): string | undefined {
  const match = /^v?0*([0-9]{1,9})(?:\.0*([0-9]{1,9}))?(?:\.[0-9]+)?(?![\s\S])/.exec(text)
  return match?.[1] && `${match[1]}.${match[2] ?? '0'}`
}

/** The major version. */
export function majorVersion(version: string): string {
  return version.split('.', 1)[0] ?? version
}

/** Whether a version of major and minor is newer than another. */
export function isNewer(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number)
  return major > otherMajor || (major === otherMajor && minor > otherMinor)
}
