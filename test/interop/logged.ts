import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { pathIn, smallTree } from '../../src/ledger/batch.ts'
import { type BundleTrust, bundleOf, logIdOf } from '../../src/ledger/bundle.ts'
import { formatCheckpoint } from '../../src/ledger/checkpoint.ts'
import { type Envelope, signEnvelope } from '../../src/ledger/envelope.ts'
import { leafHash } from '../../src/ledger/hash.ts'
import { leafOf } from '../../src/ledger/leaf.ts'
import { signNote } from '../../src/ledger/note.ts'
import { ED25519, noteVerifier, verifierKey } from '../../src/ledger/note-key.ts'
import { formatStatement, STATEMENT_PAYLOAD } from '../../src/ledger/statement.ts'

export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

export const ORIGIN = 'example.org/waybill'

/** A P-256 key as agents have it, with the id that it goes by. */
export function agentKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  return {
    privateKey,
    publicKey,
    der,
    keyid: createHash('sha256').update(der).digest('hex'),
    sign: (message: Uint8Array) => new Uint8Array(sign('sha256', message, privateKey)),
  }
}

/** An Ed25519 key as a log has it, with the id that Sigstore knows it by. */
export function logKey(origin = ORIGIN) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  const key = verifierKey(sha256, origin, ED25519, der.slice(-32))
  return {
    der,
    logId: logIdOf(sha256, key),
    verifier: noteVerifier(key, (_, message, signature) =>
      verify(null, message, publicKey, signature),
    ),
    signer: {
      name: key.name,
      id: key.id,
      sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
    },
  }
}

export type AgentKey = ReturnType<typeof agentKey>
export type LogKey = ReturnType<typeof logKey>

/** A signed statement that tells itself apart by a number. */
export function signedStatement(agent: AgentKey, number: number): Envelope {
  const payload = formatStatement({
    subject: [{ name: `handoff-${number}`, digest: { sha256: 'ab'.repeat(32) } }],
    predicateType: 'urn:example:predicate:handoff:v1',
    predicate: { number, accepted: true },
  })
  if ('fault' in payload) throw new Error(payload.fault)
  return signEnvelope(STATEMENT_PAYLOAD, payload, [agent])
}

/** The bundles of all entries of a log, under its one signed checkpoint. */
export function bundlesOf(agent: AgentKey, log: LogKey, size: number) {
  const entries = Array.from({ length: size }, (_, number) => {
    const envelope = signedStatement(agent, number)
    const signature = Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64')
    return { envelope, leaf: leafOf(sha256, envelope, agent.der, signature) }
  })
  const { root, levels } = smallTree(
    sha256,
    entries.map(({ leaf }) => leafHash(sha256, leaf)),
  )
  const note = signNote(formatCheckpoint({ origin: ORIGIN, size, root }), [log.signer])
  return entries.map(({ envelope, leaf }, index) => {
    const proof = pathIn(levels, index)
    const bundle = bundleOf({ envelope, leaf, index, proof, note, logId: log.logId })
    if ('fault' in bundle) throw new Error(bundle.fault)
    return bundle
  })
}

/** Trust in one agent and one log, for our own verification. */
export function trustIn(agent: AgentKey, log: LogKey): BundleTrust {
  return {
    origin: ORIGIN,
    log: log.verifier,
    logId: log.logId,
    verify: (keyid, message, signature) =>
      keyid === agent.keyid && verifyBy(agent.publicKey, message, signature),
  }
}

const verifyBy = (key: KeyObject, message: Uint8Array, signature: Uint8Array) =>
  verify('sha256', message, key, signature)
