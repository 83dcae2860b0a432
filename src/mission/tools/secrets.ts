import type { Missions } from '../config.ts'

type Server = NonNullable<Missions['servers']>[string]

/** Shorter values are found in many a word, and are no secret that would be worth the name. */
const SHORTEST = 6
/** Of other variables, such as the path of the home folder, results may well speak. */
const IS_SECRET = /key|token|secret|pass|credential/i

/**
 * The values that a server was given in confidence, and how JSON writes them, the longest first. The end of the line that
 * one was read from is none of it: whoever uses it takes that away.
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
