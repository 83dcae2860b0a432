import { type Random, seeded } from './random.ts'

const SIZE = 6_000

/** A FULL session state of about 6 KB in phase 4, as it stands in the middle of a ticket. */
export function sessionState(number: number): string {
  let drivers = 3
  let text = state(number, drivers)
  while (text.length < SIZE) text = state(number, ++drivers)
  return text
}

function state(number: number, drivers: number): string {
  const random = seeded(number)
  const module = `src/${random.pick(['queue', 'gauge', 'clinic', 'report'])}`
  return `SESSION_STATE:
  Phase: "4"
  Mode: NORMAL
  ConfidenceLevel: ${70 + random.below(31)}
  Next: Phase5-ArchitectureReview
  LoadedRulebooks:
    core: rules/core.md
    profile: rules/profiles/backend-java.md
  ActiveProfile: backend-java
  ProfileSource: auto-detected-single
  ProfileEvidence: "pom.xml, src/main/java"
${GATES}  TicketRecordDigest: "TICKET-${number}: ${random.sentence()}"
${digest(random, module)}${plan(random, module)}${evidence(random)}  DecisionDrivers:
${list(random, drivers, '    - ', module)}`
}

const GATES = `  Gates:
    P5-Architecture: pending
    P5.3-TestQuality: pending
    P5.4-BusinessRules: not-applicable
    P5.5-TechnicalDebt: pending
    P5.6-RollbackSafety: not-applicable
    P6-ImplementationQA: pending
`

function digest(random: Random, module: string): string {
  return `  RepoMapDigest:
    Modules:
      - "${module} (evidence: ${module}/index.ts)"
      - "src/shared (evidence: src/shared/index.ts)"
    EntryPoints: ["src/main.ts"]
    DataStores: ["PostgreSQL, migrations under db/"]
    BuildAndTooling: "Maven with a wrapper (evidence: pom.xml)"
    Testing: "JUnit 5 (evidence: src/test/java)"
    ConventionsDigest:
${list(random, 8, '      - ', module)}    Hotspots:
      - "${random.sentence()} (evidence: ${module}/cache.ts)"
  WorkingSet:
    - path: ${module}/reader.ts
      why: "${random.sentence()}"
    - path: ${module}/writer.ts
      why: "${random.sentence()}"
    - path: ${module}/cache.ts
      why: "${random.sentence()}"
`
}

function plan(random: Random, module: string): string {
  return `  TouchedSurface:
    FilesPlanned:
      - ${module}/reader.ts
      - ${module}/writer.ts
    ContractsPlanned: []
    SchemaPlanned: []
    SecuritySensitive: false
  DecisionPack:
    - id: D1
      decision: "${random.sentence()}"
      options: ["A: ${random.sentence()}", "B: ${random.sentence()}"]
      recommendation: "A"
      evidence: "${module}/reader.ts"
      what_changes_it: "${random.sentence()}"
  ArchitectureDecisions:
    - ID: AD-2026-001
      Context:
        - "${random.sentence()}"
      Decision:
        - "${random.sentence()}"
      AlternativesRejected:
        - "${random.sentence()}"
      Consequences:
        - "+ ${random.sentence()}"
        - "- ${random.sentence()}"
      EvidenceRefs: ["${module}/reader.ts"]
      Status: proposed
`
}

function evidence(random: Random): string {
  return `  BuildEvidence:
    status: partially-provided
    notes: "${random.sentence()}"
    items:
      - tool: maven
        command: "mvn -q test"
        result: pass
        scope: "unit tests"
        summary: "${random.sentence()}"
`
}

function list(random: Random, count: number, lead: string, module: string): string {
  const line = () =>
    `${lead}"${random.sentence()} (evidence: ${module}/part-${random.hex(4)}.ts)"\n`
  return Array.from({ length: count }, line).join('')
}
