/** Returns the secret in an environment variable, or why it cannot be sent, without repeating it. */
export function secretIn(
  variable: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly secret: string | undefined } | { readonly why: string } {
  if (variable === undefined) return { secret: undefined }
  // Strip a trailing line end.
  const secret = environment[variable]?.trim()
  if (!secret) return { why: `needs the variable ${variable}, which is empty` }
  // Characters that a header cannot carry.
  if (/[^\x20-\x7e]/.test(secret)) {
    const what = 'a control character or a non-ASCII character'
    return { why: `needs the variable ${variable}, which contains ${what}` }
  }
  return { secret }
}
