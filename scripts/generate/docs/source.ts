import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import type { Contract, Rule, Schema } from '../../../src/contract/index.ts'
import type { Explanations } from '../../../src/contracts/explanation.ts'
import { contractIds } from '../contracts.ts'
import { root } from '../write.ts'

/** A row of a requirements file. */
export interface Requirement {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly source: string
  readonly text: string
  readonly check?: string | readonly string[]
  readonly excluded?: string
  readonly note?: string
}

/** The sources of the reference of a contract. */
export interface ContractSource {
  readonly contract: Contract
  readonly schema: Schema
  readonly rules: Readonly<Record<string, Rule<never, never>>>
  readonly explanations: Explanations
  readonly requirements: readonly Requirement[]
}

/** Reads every contract directly, since the catalogue may not contain a new one yet. */
export async function readContracts(): Promise<ContractSource[]> {
  const sources: ContractSource[] = []
  for (const id of contractIds()) {
    const folder = join(root, 'src/contracts', id)
    const { default: contract } = (await import(join(folder, 'contract.ts'))) as {
      default: Contract
    }
    const { rules } = (await import(join(folder, 'rules.ts'))) as Pick<ContractSource, 'rules'>
    sources.push({
      contract,
      rules,
      schema: readJson(join(root, `schemas/${id}.json`)) as Schema,
      explanations: readJson(join(folder, 'explain.generated.json')) as Explanations,
      requirements: readRequirements(join(folder, 'requirements.yaml')),
    })
  }
  return sources
}

/** The rows of a requirements file; empty if there is none. */
export function readRequirements(file: string): readonly Requirement[] {
  return existsSync(file) ? ((load(readFileSync(file, 'utf8')) ?? []) as Requirement[]) : []
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
