import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import advance from '../src/operations/state-advance.ts'
import gate from '../src/operations/state-gate.ts'
import next from '../src/operations/state-next.ts'
import { openTestFolder } from './test-folder.ts'

/** A line of a state, and what stands there instead. */
export type Change = readonly [from: string | RegExp, to: string]

/** The name of the state file. */
export const FILE = 'SESSION_STATE.yaml'

/** A valid state among the fixtures. */
export function stateFixture(name: string): string {
  const folder = '../src/contracts/session-state.v1/fixtures/valid'
  return readFileSync(join(import.meta.dirname, folder, `${name}.yaml`), 'utf8')
}

/** What the architecture gate asks for, at the end of a state. */
export const AT_GATE = `GateArtifacts:
  P5-Architecture:
    Required: [TouchedSurface] # what the gate asks for
    Provided: { TouchedSurface: present }
TouchedSurface: { FilesPlanned: [], ContractsPlanned: [], SchemaPlanned: [], SecuritySensitive: false }
ArchitectureDecisions:
  - ID: AD-1
    Status: approved
`

/** From phase 4 to phase 5, where the gate is open. */
export const IN_PHASE_5: readonly Change[] = [
  ["Phase: '4'", "Phase: '5' # the architecture gate"],
  ['Next: Phase5-ArchitectureGate', 'Next: Phase5.3-TestQualityGate'],
  [/$/, AT_GATE],
]

/** A folder with the state of a session, and what can be done with it. */
export function openStateFolder() {
  const folder = openTestFolder()
  const read = (file = FILE) => readFileSync(join(folder.root, file), 'utf8')
  return {
    ...folder,
    read,
    /** Writes a state that stands in phase 4, with some of its lines changed. */
    begin: (...changes: readonly Change[]) => {
      const text = changes.reduce(replaced, stateFixture('minimal'))
      folder.write(FILE, text)
      return text
    },
    /** Adds lines at the end, as a person would by hand. */
    add: (lines: string) => folder.write(FILE, `${read()}${lines}`),
    move: (given: Parameters<typeof advance.run>[0] = {}) => advance.run(given, folder.app()),
    decide: (name: string, state: string, ...artifact: string[]) =>
      gate.run({ gate: name, state, artifact }, folder.app()),
    mayWriteCode: async () => (await next.run({ mayWriteCode: true }, folder.app())).mayWriteCode,
  }
}

function replaced(text: string, [from, to]: Change): string {
  const result = text.replace(from, to)
  if (result === text) throw new Error(`the state has no ${from}`)
  return result
}

/** The rules that speak against something, by their names. */
export function rulesIn(output: { diagnostics: readonly { code: string }[] }): string[] {
  return output.diagnostics.map(({ code }) => code.replace('session-state/', ''))
}
