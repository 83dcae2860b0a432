import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity } from '@sigstore/verify'
import { expect, test } from 'vitest'
import type { Attestation, Predicates } from '../../src/governance/entries/predicates.ts'
import { digestBytes, type EntryKind, type Gateway, KINDS } from '../../src/governance/index.ts'
import { ED25519, logIdOf, parseVerifierKey, toHex } from '../../src/ledger/index.ts'
import logBundle from '../../src/operations/log-bundle.ts'
import logCheckpoint from '../../src/operations/log-checkpoint.ts'
import { type LedgerFolder, openLedgerFolder } from '../ledger-folder.ts'
import { entriesOf } from '../log-entries.ts'
import { SPKI_ED25519, sigstoreVerifier } from './sigstore-verifier.js'

const HASH = 'ab'.repeat(32)
const [AT, LATER] = ['2026-02-11T00:45:02Z', '2026-02-11T01:45:02Z']
const between = { from: 'domain-05-product', to: 'domain-02-analysis' }
const person = { by: 'Zoë ⟨zoe⟩', standing: 'claimed', stated: 'waybill: "x"\n' } as const
const attestation: Attestation = {
  source_agent_verified: true,
  target_agent_verified: true,
  composition_valid: true,
  boundaries_respected: true,
  agents: [],
  configuration: null,
  manifest: { path: 'prompt-manifest.json', sha256: HASH, committed: null },
  lock: null,
  envelope: null,
  policy: null,
  checks: ['agent-handoff/known-agents'],
  notRun: [],
}
const answered = { ...between, bytes: HASH, attestation, found: [] }
const document = {
  number: 1e21,
  text: 'é \u2028 "quoted" \\',
  nested: { list: [null, true, -0.5] },
}

/** What an entry of each kind may say. */
const SAYS: { readonly [K in EntryKind]: Predicates[K] } = {
  'handoff-sent': { ...between, attestation, document },
  'handoff-accepted': { ...answered, document, envelope: null },
  'handoff-needs-input': { ...answered, requirements: ['approval'] },
  'handoff-rejected': {
    ...answered,
    stage: 'receive',
    found: [{ code: 'schema/type', severity: 'error' }],
  },
  'security-event': {
    ...between,
    event: 'hash-mismatch',
    quarantined: [between.to],
    hashes: [],
    reason: 'it differs',
  },
  reconciliation: { ...person, agent: between.to, why: 'compared', old: null, new: HASH },
  erasure: {
    ...{ ...person, digest: HASH, index: 0, reason: 'a name' },
    keys: { unique: ['accepted:h'], also: ['kind:handoff-accepted'] },
  },
  'clock-jump': { by: -3_600_000.25, between: [LATER, AT], where: 'between-processes' },
  'key-change': { change: 'created', holder: { kind: 'agent', name: 'a' }, keyid: HASH },
  record: { type: 'urn:waybill:record:resumed', record: { type: 'x', at: AT } },
  approval: { ...person, decision: 'rejected' },
  'task-answer': person,
  'writeback-decision': {
    ...{ ...person, standing: 'policy', proposal: 'wb_001', decision: 'approved' },
    ...{ why: 'allowed', expires: LATER },
  },
  'writeback-outcome': {
    ...{ proposal: 'wb_001', outcome: 'delivered', code: 'writeback/delivered' },
    ...{ message: 'the receiver has it', attempts: 1 },
  },
}

/** Records an entry of a kind. */
async function record<K extends EntryKind>(gateway: Gateway, kind: K): Promise<void> {
  const recorded = await gateway.record(kind, {
    subject: [{ name: kind, digest: { sha256: HASH } }],
    ids: { session: kind },
    says: SAYS[kind],
  })
  if ('taken' in recorded) throw new Error(`${kind} was taken`)
}

/** A verifier of the Sigstore project that trusts the log of a repository and its gateway alone. */
async function verifierOf(folder: LedgerFolder) {
  const { keys, gateway, origin } = await logCheckpoint.run({}, folder.app())
  const key = parseVerifierKey(digestBytes, keys[0] ?? '')
  if ('fault' in key) throw new Error(key.fault)
  const { publicKey } = key
  const der = Buffer.from(gateway[0] ?? '', 'base64')
  return sigstoreVerifier({
    log: {
      name: origin,
      der: Buffer.concat([SPKI_ED25519, publicKey]),
      logId: logIdOf(digestBytes, { name: origin, type: ED25519, publicKey }),
    },
    signer: { der, keyid: toHex(digestBytes(der)) },
  })
}

test('the Sigstore verifier accepts the bundle of an entry of each kind, and none that says something else', async () => {
  const folder = await openLedgerFolder()
  try {
    await folder.withGateway(async gateway => {
      for (const kind of KINDS) await record(gateway, kind)
    })
    const entries = await entriesOf(folder)
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    const verifier = await verifierOf(folder)
    const verify = (bundle: unknown) => verifier.verify(toSignedEntity(bundleFromJSON(bundle)))
    for (const [index, { kind }] of entries.entries()) {
      const { bundle } = await logBundle.run({ entry: String(index) }, folder.app())
      expect(() => verify(bundle), kind).not.toThrow()
      const changed = JSON.parse(JSON.stringify(bundle))
      const payload = Buffer.from(changed.dsseEnvelope.payload, 'base64').toString()
      const said = payload.replace(HASH, HASH.replace('a', 'b'))
      changed.dsseEnvelope.payload = Buffer.from(said).toString('base64')
      expect(said, kind).not.toBe(payload)
      expect(() => verify(changed), kind).toThrow()
    }
  } finally {
    folder.remove()
  }
})
