import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestFolder } from './test-folder.ts'
import { waybill as run } from './waybill.ts'

const clone = join(import.meta.dirname, '..')
const nudge = join(clone, 'examples/nudge')
const folder = openTestFolder()
beforeAll(async () => {
  const filter = (path: string) => !path.endsWith('.waybill')
  cpSync(nudge, folder.root, { recursive: true, filter })
  expect((await waybill('init')).status).toBe(0)
})
afterAll(folder.remove)

async function waybill(...args: readonly string[]) {
  const cwd = folder.root
  const { status, stdout, stderr } = await run([...args, '--format', 'json'], { cwd })
  return { status, value: stdout ? JSON.parse(stdout) : stderr }
}

const draft = (name: string) => `drafts/${name}.draft.yaml`
const send = (name: string, ...more: readonly string[]) =>
  waybill('send', draft(name), '--to', 'outbox', ...more)
const read = (path: string) => JSON.parse(readFileSync(join(folder.root, path), 'utf8'))

/** The digest by which the envelope of a handoff names it. */
function digestIn(envelope: string): string {
  const statement = JSON.parse(Buffer.from(read(envelope).payload, 'base64').toString())
  return statement.subject[0].digest.sha256
}

describe('the four patterns of a handoff', () => {
  test.each([
    ['domain to domain', 'domain-02-delivery', 'domain-01-scheduling'],
    ['archetype to domain', 'archetype-01-release-steward', 'domain-02-delivery'],
    ['domain to archetype', 'domain-03-patient-care', 'archetype-01-release-steward'],
  ])('%s: sent, received, recorded and never accepted again', async (pattern, from, to) => {
    const sent = await send(pattern.replaceAll(' ', '-'))
    expect(sent).toMatchObject({ status: 0, value: { answer: 'sent', from, to, diagnostics: [] } })
    const { document, handoff, receipt } = sent.value

    const received = await waybill('receive', document, '--as', to)
    expect(received).toMatchObject({
      status: 0,
      value: {
        answer: 'accepted',
        handoff,
        attestation: {
          source_agent_verified: true,
          target_agent_verified: true,
          composition_valid: true,
          boundaries_respected: true,
          policy: { decision: 'allow' },
        },
      },
    })
    expect(received.value.receipt.index).toBe(receipt.index + 1)

    const again = await waybill('receive', document, '--as', to)
    expect(again).toMatchObject({ status: 1, value: { answer: 'rejected' } })
    const codes = again.value.diagnostics.map(({ code }: { code: string }) => code)
    expect(codes).toContain('agent-handoff/not-replayed')
  })

  test('orchestrator-mediated: what may not go straight goes by the front desk, one handoff after the other', async () => {
    const straight = await send('out-of-bounds')
    expect(straight).toMatchObject({ status: 1, value: { answer: 'rejected', document: null } })
    const [refused] = straight.value.diagnostics
    expect(refused).toMatchObject({
      code: 'agent-handoff/within-boundaries',
      message: expect.stringContaining("nearest permitted agent is 'archetype-01-release-steward'"),
      hint: expect.stringContaining("hand over through 'orchestrator-01-front-desk'"),
    })

    const asked = await send('domain-to-orchestrator')
    expect(await waybill('receive', asked.value.document)).toMatchObject({
      status: 0,
      value: { answer: 'accepted', to: 'orchestrator-01-front-desk' },
    })
    const previous = digestIn(asked.value.envelope)
    const given = await send('orchestrator-to-domain', '--previous', previous)
    const { payload } = read(given.value.envelope)
    expect(Buffer.from(payload, 'base64').toString()).toContain(`"prev":"${previous}"`)
    expect(await waybill('receive', given.value.document)).toMatchObject({
      status: 0,
      value: {
        answer: 'accepted',
        from: 'orchestrator-01-front-desk',
        to: 'domain-02-delivery',
      },
    })
  })
})
