import { formatYaml, type Json, readDocuments } from '../src/document/index.ts'
import check from '../src/operations/check.ts'
import type { TestFolder } from './test-folder.ts'

/** A state in phase 4, short and sound. */
export const STATE = {
  Phase: '4',
  Mode: 'NORMAL',
  ConfidenceLevel: 85,
  Next: 'Phase5-ArchitectureGate',
  LoadedRulebooks: { core: 'rules/rules.md', profile: '' },
  ActiveProfile: 'backend-java',
  ProfileSource: 'auto-detected-single',
  ProfileEvidence: 'pom.xml',
  Gates: {
    'P5-Architecture': 'pending',
    'P5.3-TestQuality': 'pending',
    'P5.4-BusinessRules': 'not-applicable',
    'P5.5-TechnicalDebt': 'not-applicable',
    'P5.6-RollbackSafety': 'not-applicable',
    'P6-ImplementationQA': 'pending',
  },
} as const

/** The value of a YAML text. */
export async function valueIn(yaml: string): Promise<Record<string, Json>> {
  const { documents } = await readDocuments(yaml, 'yaml')
  return documents[0]?.value as Record<string, Json>
}

/** Codes of what a check finds in a state after a block was pasted into it, those of the recommendations for other parts left out. */
export async function faultsWhenPasted(
  folder: TestFolder,
  yaml: string,
  state: Readonly<Record<string, Json>> = STATE,
): Promise<string[]> {
  folder.write('pasted/SESSION_STATE.yaml', formatYaml({ ...state, ...(await valueIn(yaml)) }))
  const output = await check.run({ paths: ['pasted/SESSION_STATE.yaml'] }, folder.app())
  const found = output.documents.flatMap(({ diagnostics }) => diagnostics)
  const elsewhere = /discovery-is-recorded|decision-pack-produced|confidence-as-calibrated/
  return found.map(({ code }) => code).filter(code => !elsewhere.test(code))
}
