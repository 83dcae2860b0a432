import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { quote } from '../../contract/index.ts'
import { decode, findHiddenText } from '../../document/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { agentsNamed, type NamedAgent } from './agents.ts'
import { loadCedar } from './engine.ts'
import { type Place, type PolicyFault, placesOf } from './fault.ts'
import type { PolicyFile, PolicyFolder } from './files.ts'
import type { Policy } from './policy.ts'
import { type PieceFault, readPolicy } from './read-policy.ts'
import { type Piece, splitPolicies } from './split.ts'
import { BUILT_IN_POLICIES, POLICY_SCHEMA } from './texts.generated.ts'
import { type Placed, toFault, validatePolicies } from './validate.ts'

/** All policies of a repository, with all errors in them. */
export interface Inspected {
  /** Hex SHA-256 over the schema, the built-in policies and the policy files. */
  readonly digest: string
  /** Built-in policies first, then those of the files in order. */
  readonly policies: readonly Policy[]
  /** The policies of the files by id, as parsed by the engine. */
  readonly forms: ReadonlyMap<string, PolicyJson>
  /** In file order; with an error among them nothing may be decided. */
  readonly faults: readonly PolicyFault[]
  readonly files: number
  /** The agents that the files name; the schema cannot tell whether they exist. */
  readonly agents: readonly NamedAgent[]
}

/** More policies would make decisions slow. */
const MOST_POLICIES = 2000

const known = new Map<string, Inspected>()
const MOST_KNOWN = 8

/**
 * Parses and validates all policies of a folder; cached per process by content.
 *
 * @throws {WaybillError} 'configuration' when the engine is not installed.
 */
export function inspectPolicies(folder: PolicyFolder): Inspected {
  // Report a missing engine even if there are no policy files.
  loadCedar()
  const digest = digestOf(folder)
  const before = known.get(digest)
  if (before) return before
  const inspected = { digest, ...inspect(folder), files: folder.files.length }
  if (known.size >= MOST_KNOWN)
    for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest)
  known.set(digest, inspected)
  return inspected
}

/** A digest that identifies a set of policies, valid or not; works without the engine. */
export function digestOf({ files, faults }: PolicyFolder): string {
  const own = files.map(({ path, name, bytes }) => [path, name, sha256(bytes)])
  const broken = faults.map(({ path, message }) => [path, message])
  return sha256(JSON.stringify([POLICY_SCHEMA, BUILT_IN_POLICIES, own, broken]))
}

function inspect(folder: PolicyFolder): Omit<Inspected, 'digest' | 'files'> {
  const faults: PolicyFault[] = folder.faults.map(({ path, ...fault }) => ({
    ...fault,
    severity: 'error',
    file: path,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
  }))
  const own = readFiles(folder.files, faults)
  if (own.length > 0) faults.push(...validatePolicies(own))
  const order = new Map(folder.files.map(({ path }, i) => [path, i]))
  const rank = ({ file }: PolicyFault) => order.get(file) ?? -1
  faults.sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column)
  const policies = [...BUILT_IN_POLICIES, ...own.map(({ policy }) => policy)]
  const forms = new Map(own.map(({ policy, form }) => [policy.id, form]))
  return { policies, forms, faults, agents: own.flatMap(one => agentsNamed(one.form, one)) }
}

function readFiles(files: readonly PolicyFile[], faults: PolicyFault[]): Parsed[] {
  const found = files.flatMap(file => piecesOf(file, faults))
  const [beyond] = found.slice(MOST_POLICIES)
  if (beyond) {
    faults.push(toFault(TOO_MANY, beyond.place, beyond.piece))
    return []
  }
  const taken = new Set<string>()
  return found.flatMap(({ file, number, place, piece }) => {
    const { policy, form, name, faults: own } = readPolicy(piece)
    for (const fault of own) faults.push(toFault(fault, place, piece))
    if (!policy || !form) return []
    if (policy.effect === 'permit' && policy.actions.includes('handoff'))
      faults.push(toFault(WIDENS, place, piece))
    const id = `${file.name}#${name ?? number}`
    if (taken.has(id)) {
      faults.push(toFault(duplicate(id), place, piece))
      return []
    }
    taken.add(id)
    const { line } = place({ start: piece.start, end: piece.start })
    return [{ policy: { ...policy, id, place: { file: file.path, line } }, form, place, piece }]
  })
}

/** A policy of a file, parsed by the engine. */
interface Parsed extends Placed {
  readonly form: PolicyJson
}

/** A policy of a file, not parsed yet. */
interface Found {
  readonly file: PolicyFile
  /** 1 for the first of its file. */
  readonly number: number
  readonly place: Place
  readonly piece: Piece
}

function piecesOf(file: PolicyFile, faults: PolicyFault[]): Found[] {
  const { text, faults: unreadable } = decode(file.bytes)
  const place = placesOf(file.path, text)
  // Replacement characters say nothing about hidden text.
  const hidden = unreadable.length > 0 ? [] : findHiddenText(text)
  for (const { message, hint, span } of unreadable)
    faults.push({ code: 'policy/encoding', severity: 'error', message, hint, ...place(span) })
  for (const { kind, span } of hidden.slice(0, MOST_HIDDEN))
    faults.push({ ...hiddenFault(kind), ...place(span) })
  // Do not parse a policy with hidden text any further.
  if (unreadable.length + hidden.length > 0) return []
  return splitPolicies(text).map((piece, i) => ({ file, number: i + 1, place, piece }))
}

/** Report no more than this many. */
const MOST_HIDDEN = 20

const WIDENS: PieceFault = {
  code: 'policy/widens-handoff',
  severity: 'error',
  message: 'the policy permits handoffs, which only the rules can do; it is ignored for them',
  hint: 'name the intended actions (useTool, readData, writeBack), or write a forbid',
}

const TOO_MANY: PieceFault = {
  code: 'policy/too-large',
  severity: 'error',
  message: `there are more than ${MOST_POLICIES} policies, the limit`,
  hint: 'merge policies that apply the same rule to several agents or tools',
}

const duplicate = (id: string): PieceFault => ({
  code: 'policy/duplicate-id',
  severity: 'error',
  message: `another policy has the id ${quote(id)}`,
  hint: 'change one @id',
})

const hiddenFault = (kind: string) =>
  ({
    code: 'policy/hidden-text',
    severity: 'error',
    message: `invisible character: ${kind}`,
    hint: 'remove it',
  }) as const
