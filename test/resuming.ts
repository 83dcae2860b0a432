import { expect } from 'vitest'
import type { App } from '../src/operations/operation.ts'
import resume from '../src/operations/resume.ts'
import { readRecords } from '../src/workspace/index.ts'
import type { HandoffRepository } from './handoff-repository.ts'
import { faultsOf } from './output.ts'

/** Resumes in a repository, and holds what is answered against its schema. */
export async function resumeIn(
  repo: HandoffRepository,
  input: Parameters<typeof resume.run>[0] = {},
  more: Partial<App> = {},
) {
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const output = await resume.run(input, repo.app({ environment, ...more }))
  expect(faultsOf('resume', JSON.parse(JSON.stringify(output)))).toEqual([])
  return output
}

/** The codes of what was found, in their order. */
export function codesOf(output: { readonly diagnostics: readonly { readonly code: string }[] }) {
  return output.diagnostics.map(({ code }) => code)
}

/** What came of each step. */
export function stepsOf(output: {
  readonly steps: readonly { readonly step: string; readonly outcome: string }[]
}) {
  return Object.fromEntries(output.steps.map(({ step, outcome }) => [step, outcome]))
}

/** What a repository has recorded of one kind. */
export function recordsOf(repo: HandoffRepository, what: string) {
  return readRecords(repo.root, `urn:waybill:record:${what}`).records
}

/** What a person says who verified a document. */
export const VERIFIED = { verifiedBy: 'Grace', note: 'CI is green' } as const
