import { nearest, quote } from '../contract/index.ts'
import { whyNotRelative } from '../contracts/index.ts'
import { findSecrets, type Path } from '../document/index.ts'
import { type Config, type ConfigFault, configurationError } from '../workspace/index.ts'
import type { Task } from './runner.ts'
import { catalogue } from './runners/catalogue.generated.ts'
import { whyNoPlace } from './tools/reach.ts'

/** The `missions` section of `waybill.yaml`. */
export type Missions = NonNullable<Config['missions']>

/** The configuration of one runner. */
export type RunnerConfig = Missions['runners'][string]

/**
 * Reads the missions section of the configuration.
 * @throws {WaybillError} 'configuration' with every fault found.
 */
export function readMissions(config: Config): Missions {
  const { missions } = config
  const faults = missions
    ? [...inMissions(missions)].map(fault => ({ ...fault, path: ['missions', ...fault.path] }))
    : [NO_MISSIONS]
  if (!missions || faults.length > 0) throw configurationError(config, faults)
  return missions
}

const NO_MISSIONS: ConfigFault = {
  path: [],
  message: "there is no section 'missions'",
  hint: 'add it with the orchestrator, an agent for each role and a runner for each agent',
}

const ROLES: readonly string[] = Object.keys({
  planner: true,
  prompt_master: true,
  researcher: true,
  librarian: true,
  worker: true,
  aggregator: true,
  reviewer: true,
} satisfies Record<Task['role_type'], true>)

function* inMissions(missions: Missions): Iterable<ConfigFault> {
  yield* inRoles(missions)
  for (const [agent, runner] of Object.entries(missions.runners))
    yield* inRunner(runner, ['runners', agent], missions)
  for (const [route, model] of Object.entries(missions.models ?? {})) {
    yield* inAddress(model.url, ['models', route, 'url'])
    yield* inVariable(model.key, ['models', route, 'key'])
  }
  for (const [name, server] of Object.entries(missions.servers ?? {}))
    yield* inServer(server, ['servers', name])
  yield* inTools(missions)
  for (const [type, writeBack] of Object.entries(missions.writebacks ?? {}))
    yield* inWriteBack(writeBack, ['writebacks', type])
  const strays = missions.templates && whyNotRelative(missions.templates)
  if (strays)
    yield {
      path: ['templates'],
      message: `the templates folder ${strays}`,
      hint: 'use a folder inside the repository, such as missions/templates',
    }
}

function* inRoles({ roles, runners }: Missions): Iterable<ConfigFault> {
  for (const [role, agent] of Object.entries(roles)) {
    if (!ROLES.includes(role)) {
      const meant = nearest(role, ROLES)
      const hint = meant ? `did you mean '${meant}'?` : `roles are ${ROLES.join(', ')}`
      yield { path: ['roles', role], message: `there is no role ${quote(role)}`, hint }
    }
    if (Object.hasOwn(runners, agent)) continue
    const meant = nearest(agent, Object.keys(runners))
    const added = `add ${quote(agent)} to missions.runners`
    yield {
      path: ['roles', role],
      message: `${quote(agent)} has the role ${quote(role)} but no runner`,
      hint: meant ? `did you mean ${quote(meant)}? If not, ${added}` : added,
    }
  }
}

function* inRunner(config: RunnerConfig, path: Path, missions: Missions): Iterable<ConfigFault> {
  const { runner, ...entry } = config
  yield* inKeys(entry, path, { ...catalogue[runner], what: `runner: ${runner}` })
  yield* inAddress(config.url, [...path, 'url'])
  yield* inVariable(config.token, [...path, 'token'])
  if (runner !== 'model') return
  const routes = Object.keys(missions.models ?? {})
  if (routes.length === 0)
    yield { path, message: 'there is no model for this runner', hint: 'add one to missions.models' }
  else if (config.route !== undefined && !routes.includes(config.route))
    yield unknownName([...path, 'route'], config.route, routes, 'models')
}

function* inServer(server: NonNullable<Missions['servers']>[string], path: Path) {
  if (yield* inAlternatives(server, path, ['command', 'url'])) return
  const keys = server.command
    ? { needs: ['command'], allows: ['environment'], what: 'a server with a command' }
    : { needs: ['url'], allows: ['token'], what: 'a server with a URL' }
  yield* inKeys(server, path, keys)
  yield* inAddress(server.url, [...path, 'url'])
  yield* inVariable(server.token, [...path, 'token'])
}

function* inTools({ tools = {}, servers = {}, places }: Missions): Iterable<ConfigFault> {
  const known = Object.keys(servers)
  for (const [name, tool] of Object.entries(tools)) {
    if (!known.includes(tool.server))
      yield unknownName(['tools', name, 'server'], tool.server, known, 'servers')
    if (tool.places && !places)
      yield {
        path: ['tools', name, 'places'],
        message: 'the tool uses places, but missions.places is missing',
        hint: 'add missions.places with the resource family of each place',
      }
  }
  for (const place of Object.keys(places ?? {})) {
    const message = whyNoPlace(place)
    if (message) yield { path: ['places', place], message, hint: 'such as docs/reports' }
  }
}

function* inWriteBack(writeBack: NonNullable<Missions['writebacks']>[string], path: Path) {
  if (yield* inAlternatives(writeBack, path, ['webhook', 'function'])) return
  const keys = writeBack.webhook
    ? { needs: ['webhook', 'secret'], allows: [], what: 'a webhook' }
    : { needs: ['function'], allows: [], what: 'a function' }
  yield* inKeys(writeBack, path, keys)
  yield* inAddress(writeBack.webhook, [...path, 'webhook'])
  yield* inVariable(writeBack.secret, [...path, 'secret'])
}

interface Keys {
  readonly needs: readonly string[]
  readonly allows: readonly string[]
}

function* inKeys(
  entry: object,
  path: Path,
  { needs, allows, what }: Keys & { readonly what: string },
): Iterable<ConfigFault> {
  const has = Object.keys(entry)
  for (const key of needs.filter(name => !has.includes(name)))
    yield { path, message: `${what} needs '${key}'`, hint: `add '${key}'` }
  for (const key of has.filter(name => !needs.includes(name) && !allows.includes(name)))
    yield {
      path: [...path, key],
      message: `'${key}' does not belong to ${what}`,
      hint: `remove it; ${what} has ${[...needs, ...allows].join(', ') || 'nothing else'}`,
    }
}

/** Requires exactly one of two keys; returns whether that failed. */
function* inAlternatives(
  entry: object,
  path: Path,
  [one, other]: readonly [string, string],
): Generator<ConfigFault, boolean> {
  const count = [one, other].filter(key => Object.hasOwn(entry, key)).length
  if (count === 1) return false
  yield {
    path,
    message: `there is ${count === 0 ? 'neither' : 'both'} '${one}' ${count === 0 ? 'nor' : 'and'} '${other}'`,
    hint: count === 0 ? `add '${one}' or '${other}'` : `remove '${one}' or '${other}'`,
  }
  return true
}

function unknownName(path: Path, name: string, known: readonly string[], section: string) {
  const meant = nearest(name, known)
  return {
    path,
    message: `there is no ${quote(name)} in missions.${section}`,
    hint: meant ? `did you mean '${meant}'?` : `add ${quote(name)} to missions.${section}`,
  }
}

/** Checks a URL without repeating it: it may contain a secret. */
function* inAddress(address: string | undefined, path: Path): Iterable<ConfigFault> {
  if (address === undefined) return
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    yield {
      path,
      message: 'this is not an http or https URL',
      hint: 'use a URL that begins with https://',
    }
  else if (url.username !== '' || url.password !== '')
    yield {
      path,
      message: 'the URL contains a user name or password',
      hint: 'keep the secret in an environment variable',
    }
}

/** Checks that a key names an environment variable, and is not the secret itself. */
function* inVariable(name: string | undefined, path: Path): Iterable<ConfigFault> {
  if (name === undefined) return
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && findSecrets(name).length === 0) return
  yield {
    path,
    message: 'this is not the name of an environment variable',
    hint: 'put the secret into an environment variable and write the name of the variable here',
  }
}
