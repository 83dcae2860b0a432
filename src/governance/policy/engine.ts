import type * as Wasm from '@cedar-policy/cedar-wasm/nodejs'
import manifest from '../../../package.json' with { type: 'json' }
import { WaybillError } from '../../error.ts'
import { SCHEMA_FORM } from './forms.generated.ts'

/** The API of the policy engine's package. */
export type Cedar = typeof Wasm

const PACKAGE = '@cedar-policy/cedar-wasm'
const ENTRY = `${PACKAGE}/nodejs`

/** The command that installs the engine. */
const INSTALL_CEDAR = `npm install ${PACKAGE}@${manifest.peerDependencies[PACKAGE]}`

/** The number of bytes a Wasm function executes before it is optimised; Node's default is eight times lower. */
const PATIENCE = 100_000_000

let loaded: Cedar | undefined

/** The policies that the engine holds parsed, by name; least recently used first. */
const prepared = new Map<string, string>()

/** More sets than a process needs at once; a long-lived process with changing policies drops old ones. */
const MOST_PREPARED = 16

/**
 * Loads the policy engine on first use.
 *
 * @throws {WaybillError} 'configuration' when it is not installed; the hint has the install command.
 */
export function loadCedar(): Cedar {
  loaded ??= freshEngine()
  return loaded
}

function freshEngine(): Cedar {
  const { createRequire } = process.getBuiltinModule('node:module')
  const require = createRequire(import.meta.url)
  let file: string
  try {
    file = require.resolve(ENTRY)
  } catch (cause) {
    throw new WaybillError('configuration', `the package ${PACKAGE} is missing`, {
      hint: INSTALL_CEDAR,
      cause,
    })
  }
  // A process that decides once must not wait for optimised machine code.
  process.getBuiltinModule('node:v8').setFlagsFromString(`--wasm-tiering-budget=${PATIENCE}`)
  // A cached module keeps its memory as a failure left it.
  delete require.cache[file]
  try {
    return require(file)
  } catch (cause) {
    throw new WaybillError('configuration', `the package ${PACKAGE} cannot be loaded`, {
      hint: INSTALL_CEDAR,
      cause,
    })
  }
}

/** Calls the engine. After an internal failure it is never called again: its memory may be corrupt. */
export function askCedar<Answer>(ask: (cedar: Cedar) => Answer): Answer {
  const cedar = loadCedar()
  try {
    return ask(cedar)
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') {
      loaded = undefined
      prepared.clear()
    }
    throw error
  }
}

const SCHEMA = 'waybill'

/** Policies under a key that identifies exactly them, parsed on first use. */
export interface PreparedSet {
  readonly key: string
  policies(): Readonly<Record<string, Wasm.Policy>>
}

/** A request to a set: everything but the set and schema. */
export type Call = Pick<
  Wasm.StatefulAuthorizationCall,
  'principal' | 'action' | 'resource' | 'context' | 'entities'
>

/** Evaluates a set of policies; set and schema are parsed once. */
export function authorize(set: PreparedSet, call: Call): Wasm.AuthorizationAnswer {
  return askCedar(cedar =>
    cedar.statefulIsAuthorized({
      ...call,
      preparsedSchemaName: SCHEMA,
      validateRequest: true,
      preparsedPolicySetId: prepare(cedar, set),
    }),
  )
}

function prepare(cedar: Cedar, { key, policies }: PreparedSet): string {
  const known = prepared.get(key)
  if (known !== undefined) {
    prepared.delete(key)
    prepared.set(key, known)
    return known
  }
  if (prepared.size === 0) mustParse(cedar.preparseSchema(SCHEMA, SCHEMA_FORM))
  const [oldest] = prepared.size < MOST_PREPARED ? [] : prepared
  // The engine drops a set only when another takes its name.
  const name = oldest?.[1] ?? `set ${prepared.size}`
  mustParse(cedar.preparsePolicySet(name, { staticPolicies: policies() }))
  if (oldest) prepared.delete(oldest[0])
  prepared.set(key, name)
  return name
}

function mustParse(answer: Wasm.CheckParseAnswer): void {
  if (answer.type === 'success') return
  throw new Error(answer.errors.map(({ message }) => message).join('; '))
}
