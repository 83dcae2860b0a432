import type { Missions } from '../config.ts'

type Server = NonNullable<Missions['servers']>[string]

/** Shorter values occur in ordinary words. */
const SHORTEST = 6
/** Other variables, such as HOME, may appear in results. */
const IS_SECRET = /key|token|secret|pass|credential/i

/**
 * The secret values that a server was given, plain and JSON-escaped, longest first. Trailing line ends are stripped, as
 * by users of the value.
 */
export function secretsOf(
  server: Server | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const { token, environment: names = [] } = server ?? {}
  const secret = [...names.filter(name => IS_SECRET.test(name)), ...(token ? [token] : [])]
  return secret
    .flatMap(name => environment[name]?.trim() ?? [])
    .filter(value => value.length >= SHORTEST)
    .flatMap(value => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
}
