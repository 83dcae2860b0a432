import type { Missions } from '../../mission/index.ts'
import type { App } from '../operation.ts'

/** Returns the environment variables that the configuration names, plus those that every command may read. */
export function environmentFor(
  { runners, models = {}, servers = {}, writebacks = {} }: Missions,
  { environment = {}, variable = () => undefined }: App,
): Readonly<Record<string, string | undefined>> {
  const named = [
    ...Object.values(runners).flatMap(({ environment = [], token }) => [...environment, token]),
    ...Object.values(models).map(({ key }) => key),
    ...Object.values(servers).flatMap(({ environment = [], token }) => [...environment, token]),
    ...Object.values(writebacks).map(({ secret }) => secret),
  ].filter(name => name !== undefined)
  return { ...environment, ...Object.fromEntries(named.map(name => [name, variable(name)])) }
}
