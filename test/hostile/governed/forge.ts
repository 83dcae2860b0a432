import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'

/** Everything here is made without the product: an attacker needs nothing of it, and a test should not trust it. */
export type Fields = Record<string, unknown>

export const PRODUCT = 'domain-05-product'
export const ANALYSIS = 'domain-02-analysis'
export const TECHNICAL = 'domain-06-technical'
export const THINKER = 'archetype-product-thinker'
export const DESK = 'orchestrator-desk'

/** A handoff as it is forged: every part of it may be changed. */
export interface Handoff extends Fields {
  handoff_id: string
  timestamp: string
  source_agent: Fields
  target_agent: Fields
  context: { request: Fields; state: Fields }
  governance: Fields
}

/** Hex SHA-256. */
export const sha256 = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex')

/** A time as documents state it, so many seconds from now. */
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** What an agent is in the repository of these tests. */
export function party(id: string): Fields {
  const [agent_type] = id.split('-')
  const prompt_hash = sha256(`You are ${id}.\n`)
  return { agent_type, agent_id: id, agent_version: '1.0.0', prompt_hash }
}

/** A handoff without fault, sent now. */
export function handoffOf(from = PRODUCT, to = ANALYSIS): Handoff {
  return {
    handoff_id: randomUUID(),
    timestamp: inSeconds(0),
    protocol_version: '1.0.0',
    source_agent: party(from),
    target_agent: party(to),
    context: {
      request: {
        type: 'analysis',
        description: 'Validate the hypothesis with what users said',
        input_data: { note: `the heron ${randomUUID()} stands in the water` },
        constraints: [],
        expected_output: 'A recommendation',
      },
      state: { conversation_history: [], accumulated_context: {}, decisions_made: [] },
    },
    governance: {
      source_agent_verified: true,
      target_agent_verified: true,
      composition_valid: true,
      boundaries_respected: true,
      audit_trail: 'urn:waybill:log:elsewhere#0',
    },
  }
}

/** Stands in every forged handoff: of what is refused no word may be found anywhere afterwards. */
export const CANARY = /heron [0-9a-f-]{36}/

/** What signs an envelope. */
export interface ForgedSigner {
  readonly keyid: string
  sign(message: Uint8Array): Uint8Array
}

/** Signs with ECDSA and SHA-256 under the key id that follows from the key. */
export function signerOf(key: KeyObject): ForgedSigner {
  return { keyid: keyidOf(key), sign: message => sign('sha256', message, key) }
}

/** Hex SHA-256 of the public half, SPKI in DER. */
export const keyidOf = (key: KeyObject) => sha256(publicDer(key))

/** The public half as `waybill.yaml` lists it. */
export const listedKey = (key: KeyObject) => publicDer(key).toString('base64')

const publicDer = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' })

/** A new private key on P-256, which is not listed. */
export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** The private key of an agent, as an installation keeps it. */
export function keyOf(root: string, agent: string): KeyObject {
  const folder = join(root, '.waybill/keys')
  const file = readdirSync(folder).find(name => name.startsWith(`${agent}.`))
  if (file === undefined) throw new Error(`no key of ${agent}`)
  return createPrivateKey(readFileSync(join(folder, file), 'utf8'))
}

/** An in-toto statement as it is forged. */
export interface Forged extends Fields {
  subject: { name: string; digest: Fields }[]
  predicate: Fields
}

/** How an envelope differs from a sound one. */
export interface Forging {
  readonly statement?: (statement: Forged) => void
  /** What is signed in place of the statement. */
  readonly payload?: string | Uint8Array
  readonly payloadType?: string
  readonly signers?: readonly ForgedSigner[]
}

const STATEMENT = 'application/vnd.in-toto+json'

/** Seals handoffs for a repository as their sender would, or in any other way. */
export type Sealer = (handoff: unknown, forging?: Forging) => string

/** Makes what seals handoffs with the key of an agent and the manifest and lock of a repository. */
export function openSealer(root: string, signer: ForgedSigner): Sealer {
  const digestOf = (path: string) => sha256(readFileSync(join(root, path)))
  return (
    handoff,
    { statement: change, payload, payloadType = STATEMENT, signers = [signer] } = {},
  ) => {
    const { target_agent } = handoff as { target_agent?: Fields }
    const statement: Forged = {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'handoff', digest: { sha256: sha256(canonicalize(handoff) ?? '') } },
        { name: 'prompt-lock', digest: { sha256: digestOf('prompt-lock.json') } },
        { name: 'prompt-manifest', digest: { sha256: digestOf('prompt-manifest.json') } },
      ],
      predicateType: 'urn:waybill:predicate:handoff:v1',
      predicate: {
        aud: target_agent?.agent_id ?? ANALYSIS,
        iat: inSeconds(0),
        exp: inSeconds(590),
        nonce: sha256(randomUUID()),
        prev: null,
      },
    }
    change?.(statement)
    const bytes = Buffer.from(payload ?? canonicalize(statement) ?? '')
    return JSON.stringify({
      payload: bytes.toString('base64'),
      payloadType,
      signatures: signers.map(({ keyid, sign: by }) => ({
        keyid,
        sig: Buffer.from(by(paeOf(payloadType, bytes))).toString('base64'),
      })),
    })
  }
}

/** What a DSSE signature covers. */
function paeOf(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}
