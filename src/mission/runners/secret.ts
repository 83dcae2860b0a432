/** What a variable of the environment holds to prove who asks, or why that cannot be sent; never itself in words. */
export function secretIn(
  variable: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly secret: string | undefined } | { readonly why: string } {
  if (variable === undefined) return { secret: undefined }
  // The end of the line that it was read from is none of it.
  const secret = environment[variable]?.trim()
  if (!secret) return { why: `needs the variable ${variable}, which is empty` }
  // What a header cannot carry, or would carry as something else.
  if (/[^\x20-\x7e]/.test(secret)) {
    const what = 'a line end, another control character or a letter beyond ASCII'
    return { why: `needs the variable ${variable}, which holds ${what}` }
  }
  return { secret }
}
