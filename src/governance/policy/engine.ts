import type * as Wasm from '@cedar-policy/cedar-wasm/nodejs'
import manifest from '../../../package.json' with { type: 'json' }
import { WaybillError } from '../../error.ts'
import { SCHEMA_FORM } from './forms.generated.ts'

/** The policy engine as its package offers it. */
export type Cedar = typeof Wasm

const PACKAGE = '@cedar-policy/cedar-wasm'
const ENTRY = `${PACKAGE}/nodejs`

/** What installs the engine, for whoever does not have it. */
const INSTALL_CEDAR = `npm install ${PACKAGE}@${manifest.peerDependencies[PACKAGE]}`

/** How many bytes a function of the engine executes before it is optimised; by itself Node waits for an eighth of it. */
const PATIENCE = 100_000_000

let loaded: Cedar | undefined

/** The policies that the engine holds parsed, by name; the longest unused come first. */
const prepared = new Map<string, string>()

/** More sets than a process needs at once; a long-lived one that is given new policies again and again keeps no old ones. */
const MOST_PREPARED = 16

/**
 * The policy engine, loaded when it is first needed.
 *
 * @throws WaybillError that names what to install where it is absent.
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
  // A process that decides once must not wait for machine code that only pays in the long run.
  process.getBuiltinModule('node:v8').setFlagsFromString(`--wasm-tiering-budget=${PATIENCE}`)
  // What is cached has its memory in the state in which a failure left it.
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

/** Calls the engine; one that has failed inside is never asked again, for nobody knows what its memory holds. */
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

/** Policies under a key that stands for exactly them, parsed when they are first asked. */
export interface PreparedSet {
  readonly key: string
  policies(): Readonly<Record<string, Wasm.Policy>>
}

/** What is asked of a set: everything but where set and schema are. */
export type Call = Pick<
  Wasm.StatefulAuthorizationCall,
  'principal' | 'action' | 'resource' | 'context' | 'entities'
>

/** Asks a set of policies; it and the schema are parsed once. */
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
  // The engine forgets a set only when another one takes its name.
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
