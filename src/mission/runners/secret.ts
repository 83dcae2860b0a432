/** What a variable of the environment holds to prove who asks, or why that cannot be sent; never itself in words. */
export function secretIn(
  variable: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly secret: string | undefined } | { readonly why: string } {
  if (variable === undefined) return { secret: undefined }
  const secret = environment[variable]
  if (!secret) return { why: `needs the variable ${variable}, which is empty` }
  // Such as the end of the line that it was read from: no header can carry it.
  return /^[\x21-\x7e]+$/.test(secret)
    ? { secret }
    : {
        why: `needs the variable ${variable}, which holds a space, a line end or a letter beyond ASCII`,
      }
}
