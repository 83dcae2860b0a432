import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import {
  type DataRequest,
  type HandoffRequest,
  inspectPolicies,
  type PolicyAgent,
  readConfigured,
  type ToolRequest,
  type WriteBackRequest,
} from '../src/governance/index.ts'

/** A repository whose policies are these files; the caller removes it. */
export function policyRepository(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'waybill-policies-'))
  mkdirSync(join(root, 'policies'))
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, 'policies', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return root
}

/** Makes repositories as above for the tests of one file, and removes them after the last. */
export function policyRepositories(): typeof policyRepository {
  const roots: string[] = []
  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true })
  })
  return files => {
    const root = policyRepository(files)
    roots.push(root)
    return root
  }
}

/** The configuration of such a repository. */
export const CONFIG = { policies: 'policies' }

/** What is found in its policies. */
export const inspectIn = (root: string) => inspectPolicies(readConfigured(root, CONFIG))

/** What is wrong with them, and where. */
export const placesIn = (root: string) =>
  inspectIn(root).faults.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)

/** The beginning of a policy about tools. */
export const TOOL = 'forbid (principal, action == Waybill::Action::"useTool", resource)'
/** The beginning of a policy about handoffs. */
export const HANDOFF = 'forbid (principal, action == Waybill::Action::"handoff", resource)'

const agent = (id: string): PolicyAgent => ({ id, type: 'domain', version: '1.0.0' })

/** A handoff of which every fact holds. */
export const handoff: HandoffRequest = {
  action: 'handoff',
  source: agent('domain-05-product'),
  target: agent('domain-02-analysis'),
  facts: {
    sourceVerified: true,
    targetVerified: true,
    compositionValid: true,
    boundariesRespected: true,
    signed: true,
    fresh: true,
    replayed: false,
    quarantined: false,
    requestType: 'analysis',
    findings: 0,
    ageSeconds: 3,
  },
}

/** A tool that the task allows. */
export const tool: ToolRequest = {
  action: 'useTool',
  agent: agent('domain-02-analysis'),
  tool: 'external_search',
  facts: { allowedTools: ['external_search'], quarantined: false },
}

/** Data as sensitive as the mission. */
export const data: DataRequest = {
  action: 'readData',
  agent: agent('domain-02-analysis'),
  resource: { id: 'leads', sensitivity: 'confidential' },
  facts: { clearance: 'confidential', quarantined: false },
}

/** A proposal that another person has approved. */
export const writeBack: WriteBackRequest = {
  action: 'writeBack',
  agent: { ...agent('domain-02-analysis'), roles: ['reviewer'] },
  resource: { id: 'lead_123', sensitivity: 'internal_business' },
  facts: { approved: true, quarantined: false },
}
