import { toHex } from './base64.ts'
import { parseDecimal } from './decimal.ts'
import type { Faulty } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { COSIGNATURE, ED25519, parseVerifierKey, type VerifierKey } from './note-key.ts'

/** A log or a witness of a policy: its key, and its URL. */
export interface Party {
  readonly key: VerifierKey
  readonly url?: string
}

/** A group, satisfied when `threshold` of its members are. */
export interface Group {
  readonly threshold: number
  readonly members: readonly string[]
}

/** The policy parsed so far. */
export interface PolicyDraft {
  readonly logs: Party[]
  readonly witnesses: Map<string, Party>
  readonly groups: Map<string, Group>
  /** The public keys of logs and of witnesses: one key under two names would count twice. */
  readonly logKeys: Set<string>
  readonly witnessKeys: Set<string>
  /** The members of all groups: none may count twice. */
  readonly used: Set<string>
}

/** An empty policy. */
export const emptyDraft = (): PolicyDraft => ({
  logs: [],
  witnesses: new Map(),
  groups: new Map(),
  logKeys: new Set(),
  witnessKeys: new Set(),
  used: new Set(),
})

const CONTROL = /[^\P{Cc}\t\x80-\x9f]/u
const NONE = 'none'

/** Parses one line into the draft. Returns the quorum's name for a quorum line, otherwise nothing. */
export function readPolicyLine(
  sha256: Sha256,
  line: string,
  draft: PolicyDraft,
): { readonly quorum: string } | Faulty | undefined {
  if (CONTROL.test(line)) return { fault: 'a control character is not allowed' }
  const [keyword = '', ...words] = line.split(/[ \t]+/).filter(word => word !== '')
  if (keyword === '' || keyword.startsWith('#')) return undefined
  switch (keyword) {
    case 'log':
      return readLog(sha256, words, draft)
    case 'witness':
      return readWitness(sha256, words, draft)
    case 'group':
      return readGroup(words, draft)
    case 'quorum':
      return readQuorum(words, draft)
    default:
      return { fault: `'${keyword}' is not log, witness, group or quorum` }
  }
}

function readLog(
  sha256: Sha256,
  words: readonly string[],
  { logs, logKeys }: PolicyDraft,
): Faulty | undefined {
  const party = readParty(sha256, words, ED25519, logKeys)
  if ('fault' in party) return party
  logs.push(party)
  return undefined
}

function readWitness(
  sha256: Sha256,
  [name = '', ...words]: readonly string[],
  draft: PolicyDraft,
): Faulty | undefined {
  const refused = whyNotNew(name, draft)
  if (refused) return refused
  const party = readParty(sha256, words, COSIGNATURE, draft.witnessKeys)
  if ('fault' in party) return party
  draft.witnesses.set(name, party)
  return undefined
}

function readParty(
  sha256: Sha256,
  [text, url, ...more]: readonly string[],
  type: VerifierKey['type'],
  known: Set<string>,
): Party | Faulty {
  if (text === undefined || more.length > 0)
    return { fault: 'a key and at most a URL are expected' }
  const key = parseVerifierKey(sha256, text)
  if ('fault' in key) return key
  if (key.type !== type)
    return { fault: `the key of ${key.name} has signature type ${key.type} instead of ${type}` }
  const publicKey = toHex(key.publicKey)
  if (known.has(publicKey)) return { fault: `the key of ${key.name} is listed twice` }
  known.add(publicKey)
  return url === undefined ? { key } : { key, url }
}

function readGroup(
  [name = '', threshold = '', ...members]: readonly string[],
  draft: PolicyDraft,
): Faulty | undefined {
  const refused = whyNotNew(name, draft)
  if (refused) return refused
  for (const member of members) {
    if (!isDefined(member, draft)) return { fault: `'${member}' is not defined above` }
    if (draft.used.has(member)) return { fault: `'${member}' is a member twice` }
    draft.used.add(member)
  }
  const count = thresholdOf(threshold, members.length)
  if (count === undefined || count < 1 || count > members.length)
    return { fault: `'${threshold}' of ${members.length} members is not a valid threshold` }
  draft.groups.set(name, { threshold: count, members })
  return undefined
}

function thresholdOf(text: string, members: number): number | undefined {
  if (text === 'any') return 1
  return text === 'all' ? members : parseDecimal(text)
}

function readQuorum(
  [name, ...more]: readonly string[],
  draft: PolicyDraft,
): { readonly quorum: string } | Faulty {
  if (name === undefined || more.length > 0) return { fault: 'a quorum line takes one name' }
  return name === NONE || isDefined(name, draft)
    ? { quorum: name }
    : { fault: `'${name}' is not defined above` }
}

function whyNotNew(name: string, draft: PolicyDraft): Faulty | undefined {
  if (name === '') return { fault: 'a name is missing' }
  if (name === NONE) return { fault: `'${NONE}' cannot be defined` }
  return isDefined(name, draft) ? { fault: `'${name}' is already defined` } : undefined
}

const isDefined = (name: string, { witnesses, groups }: PolicyDraft) =>
  witnesses.has(name) || groups.has(name)
